import { useMutation, useQueryClient } from "@tanstack/react-query";

/** A write, after which all that shows these resources, the first parts of query keys, is read again. */
export function useWrite<Input, Output>(write: (input: Input) => Promise<Output>, ...resources: readonly string[]) {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: write,
    onSuccess: () => Promise.all(resources.map((name) => queries.invalidateQueries({ queryKey: [name] }))),
  });
}
