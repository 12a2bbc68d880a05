;;; datachain.el --- Datachain documents with Eglot  -*- lexical-binding: t; -*-

;; Package-Requires: ((emacs "26.3") (eglot "1.9"))
;; URL: https://github.com/datachain-go/datachain/blob/main/docs/editors.md
;; SPDX-License-Identifier: Apache-2.0

;;; Commentary:

;; Starts `datachain lsp' for files named *.datachain.json, and in any other buffer
;; after M-x datachain-mode.  In init.el:
;;
;;   (load "/path/to/editors/emacs/datachain.el")
;;   (setq datachain-arguments '("--store" "https://datachain.example"))

;;; Code:

(require 'eglot)
(require 'js)

(defgroup datachain nil "Datachain documents." :group 'languages)

(defcustom datachain-program "datachain"
  "The program datachain: its name in PATH, or a path."
  :type 'string)

(defcustom datachain-arguments nil
  "Arguments of `datachain lsp', such as --store or --schemas."
  :type '(repeat string))

(defcustom datachain-locale nil
  "Language of titles, such as fr, or nil for English."
  :type '(choice (const nil) string))

(defun datachain--contact (&rest _)
  "Return how to start the language server."
  (append (list datachain-program "lsp") datachain-arguments
          (when datachain-locale
            (list :initializationOptions (list :locale datachain-locale)))))

;;;###autoload
(define-derived-mode datachain-mode js-mode "Datachain"
  "Major mode for datachain documents."
  (setq-local js-indent-level 2)
  (setq-local tab-width 2)
  (setq-local indent-tabs-mode nil)) ; as the formatter of the command line

(add-to-list 'auto-mode-alist '("\\.datachain\\.json\\'" . datachain-mode))
(add-to-list 'eglot-server-programs '(datachain-mode . datachain--contact))
(add-hook 'datachain-mode-hook #'eglot-ensure)

(defun datachain-preview ()
  "Show the document as a page in a browser."
  (interactive)
  (datachain--execute "datachain.preview"
                      (lambda (answer)
                        (let ((html (plist-get answer :html)))
                          (when (plist-get answer :note)
                            (message "%s" (plist-get answer :note)))
                          (unless (string-empty-p html)
                            (let ((file (make-temp-file "datachain-" nil ".html")))
                              (with-temp-file file (insert html))
                              (browse-url-of-file file)))))))

(defun datachain-resolve ()
  "Show the resolved document in a new buffer."
  (interactive)
  (datachain--execute "datachain.resolve"
                      (lambda (answer)
                        (pop-to-buffer (generate-new-buffer "*datachain resolved*"))
                        (insert (plist-get answer :text))
                        (json-pretty-print-buffer)
                        (goto-char (point-min))
                        (js-mode))))

(defun datachain--execute (command show)
  "Run COMMAND of the server on this document and call SHOW with its answer."
  (let ((uri (plist-get (eglot--TextDocumentIdentifier) :uri)))
    (eglot--signal-textDocument/didChange)
    (funcall show (jsonrpc-request (eglot--current-server-or-lose) :workspace/executeCommand
                                   (list :command command :arguments (vector uri))))))

(provide 'datachain)
;;; datachain.el ends here
