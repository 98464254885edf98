// The key of the link is in its fragment, which no server and no log ever sees.
function signIn() {
  const key = location.hash.slice(1);
  if (!key) return;
  history.replaceState(null, "", location.pathname + location.search);
  document.getElementById("key").value = key;
  document.querySelector("form").submit();
}

signIn();
// Where this page is open already, a link changes the fragment alone.
addEventListener("hashchange", signIn);
