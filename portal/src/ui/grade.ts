/** The key of a tier, such as "silver", as a name. */
export const gradeName = (grade: string) => grade.charAt(0).toUpperCase() + grade.slice(1).replaceAll(/[-_]/g, " ");
