// The key of the link is in its fragment, which no server and no log ever sees.
const key = location.hash.slice(1);
const back = new URLSearchParams(location.search).get("back");
if (back) document.querySelector("[name=back]").value = back;
if (key) {
  history.replaceState(null, "", location.pathname);
  document.getElementById("key").value = key;
  document.querySelector("form").submit();
}
