// Says that the browser is too old. It is written in the oldest JavaScript, because browsers without
// modules load it.

(function () {
  var sentence = document.createElement("p");
  sentence.className = "too-old";
  sentence.setAttribute("role", "alert");
  sentence.appendChild(
    document.createTextNode(
      "This browser is too old for this page. Chrome 79, Safari 14, Firefox 78 and newer ones " +
        "show it. · Questo browser è troppo vecchio per questa pagina. La mostrano Chrome 79, " +
        "Safari 14, Firefox 78 e i più recenti.",
    ),
  );
  while (document.body.firstChild) document.body.removeChild(document.body.firstChild);
  document.body.appendChild(sentence);
})();
