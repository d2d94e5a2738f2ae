#!/bin/sh
# Verifies a delivery that was saved to a file, with openssl:
#   WEBHOOK_SECRET=whsec_… sh verify.sh body.json "t=1794700800,v1=5257…"
# Prints "signed" and exits with 0, or prints "not signed" and exits with 1.
body=$1
header=$2
time=$(printf '%s' "$header" | tr ',' '\n' | sed -n 's/^t=//p')
age=$(($(date +%s) - ${time:-0}))
expected=$({ printf '%s.' "$time"; cat "$body"; } | openssl dgst -sha256 -hmac "$WEBHOOK_SECRET" | sed 's/^.*= //')
if [ "$age" -le 300 ] && [ "$age" -ge -300 ] && printf '%s' "$header" | tr ',' '\n' | grep -qx "v1=$expected"; then
  echo "signed"
else
  echo "not signed"
  exit 1
fi
