# Starts the command of a disturbed run: start.sh FOLDER AHEAD FAKETIME COMMAND...
# FOLDER: what is loaded into the runner. AHEAD: seconds, 0 for the real clock. FAKETIME: `try`, or `no` where it has no hold.
# Said: CSW_NODE, CSW_PYTHON for the languages that are reached by a preload.
here=$1 ahead=$2 try=$3
shift 3
export CSW_TOLD="$here/told"
if [ "$ahead" != 0 ] && [ "$try" = try ]; then
  for lib in /usr/lib/*/faketime/libfaketimeMT.so.1 /usr/lib*/faketime/libfaketimeMT.so.1 /usr/local/lib/faketime/libfaketimeMT.so.1; do
    [ -e "$lib" ] || continue
    now=$(date +%s)
    then=$(LD_PRELOAD=$lib FAKETIME="+$ahead" date +%s 2>/dev/null)
    # It is believed by what the clock says, not by its name.
    [ "$((${then:-0} - now))" -ge "$((ahead - 60))" ] || continue
    export LD_PRELOAD="$lib" FAKETIME="+$ahead" DONT_FAKE_MONOTONIC=1 FAKETIME_DONT_FAKE_MONOTONIC=1
    echo faketime >>"$CSW_TOLD"
    ahead=0
    break
  done
fi
[ "$ahead" = 0 ] || export CSW_AHEAD="$ahead"
[ -z "$CSW_NODE" ] || export NODE_OPTIONS="--import=file://$here/node.mjs${NODE_OPTIONS:+ $NODE_OPTIONS}"
[ -z "$CSW_PYTHON" ] || export PYTHONPATH="$here${PYTHONPATH:+:$PYTHONPATH}"
exec "$@"
