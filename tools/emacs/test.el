;;; test.el --- Uses datachain.el in Emacs  -*- lexical-binding: t; -*-

;; Opens a document with a mistake: the diagnostic appears, a code action fixes it, hover
;; and completion answer, and the commands resolve and preview.

(require 'package)
(package-initialize)
(defvar here default-directory)
(setq datachain-program (expand-file-name "build/datachain" here)
      datachain-arguments '("--samples")
      datachain-locale "fr"
      eglot-sync-connect 30)
(load (expand-file-name "../../editors/emacs/datachain.el" here) nil t)
(require 'cl-lib)

(defun await (what holds)
  "Wait for WHAT until HOLDS returns non-nil, which is returned."
  (let ((end (+ (float-time) 60)) found)
    (while (not (setq found (funcall holds)))
      (when (> (float-time) end) (error "Waited in vain for %s" what))
      (accept-process-output nil 0.05))
    found))

(defun expect (what holds)
  "Fail with WHAT unless HOLDS."
  (unless holds (error "Failed: %s" what)))

(defun diagnostics ()
  "Return the diagnostics of the buffer."
  (eglot--signal-textDocument/didChange) ; Emacs does this when it is idle, and is never idle here
  (flymake-start)
  (accept-process-output nil 0.05)
  (flymake-diagnostics))

(defun test ()
  "Use a document as an author does."
  (let* ((dir (make-temp-file "datachain-" t))
         (file (expand-file-name "air.datachain.json" dir)))
    (with-temp-file file
      (insert-file-contents (expand-file-name "../../examples/documents/air-station.json" here))
      (while (search-forward "purpose.environment" nil t) (replace-match "purpose.enviroment"))
      (goto-char (point-min))
      (search-forward "Air on")
      (replace-match "😀 漢字 on"))
    (find-file file)
    (expect "the mode is that of datachains" (eq major-mode 'datachain-mode))
    (unless (eglot-current-server) (apply #'eglot (eglot--guess-contact)))

    (let* ((found (await "a diagnostic" (lambda () (car (diagnostics)))))
           (text (buffer-substring-no-properties (flymake-diagnostic-beg found) (flymake-diagnostic-end found))))
      (expect (format "the diagnostic is about %s" text) (equal text "\"purpose.enviroment\""))
      (expect "the diagnostic explains itself" (string-match-p "There is no element" (flymake-diagnostic-text found)))
      (message "diagnostic: %s" (car (split-string (flymake-diagnostic-text found) "\n")))

      (goto-char (+ 2 (flymake-diagnostic-beg found)))
      (let* ((actions (append (eglot-code-actions (point) (point) "quickfix") nil))
             (fix (cl-find "Write purpose.environment" actions :key (lambda (a) (plist-get a :title)) :test #'equal)))
        (expect "there is a code action" fix)
        (eglot--apply-workspace-edit (plist-get fix :edit))
        (message "code action: %s" (plist-get fix :title))))
    (await "no diagnostics" (lambda () (null (diagnostics))))
    (expect "the text is fixed" (save-excursion (goto-char (point-min)) (search-forward "purpose.environment" nil t)))

    (goto-char (point-min))
    (search-forward "purpose.envi")
    (let (shown)
      (eglot-hover-eldoc-function (lambda (text &rest _) (setq shown (substring-no-properties text))))
      (await "a hover" (lambda () shown))
      (expect "the hover has the title" (string-match-p "Air, bruit et météo" shown))
      (expect "the hover has no data URI" (not (string-match-p "data:image" shown)))
      (message "hover: %s" (car (split-string shown "\n"))))

    (goto-char (point-min))
    (search-forward "purpose.environment")
    (goto-char (match-beginning 0))
    (delete-region (point) (+ (point) (length "purpose.environment")))
    (insert "mété")
    (eglot--signal-textDocument/didChange)
    (let* ((answer (eglot-completion-at-point))
           (items (all-completions "" (nth 2 answer))))
      (expect (format "elements are completed by title: %S" items)
              (cl-find "Air, bruit et météo" items :test #'string-search))
      (message "completion: %d items" (length items)))
    (delete-region (- (point) 4) (point))
    (insert "purpose.environment")

    (let (shown)
      (cl-letf (((symbol-function 'browse-url-of-file) (lambda (file) (setq shown file))))
        (datachain-preview))
      (expect "the preview is a page"
              (with-temp-buffer (insert-file-contents shown) (search-forward "Air, bruit et météo" nil t)))
      (delete-file shown))
    (datachain-resolve)
    (expect "the document is resolved" (save-excursion (goto-char (point-min)) (search-forward "schema_snapshot" nil t)))
    (message "preview and resolve: done")

    (with-current-buffer (find-buffer-visiting file)
      (set-buffer-modified-p nil)
      (eglot-shutdown (eglot-current-server)))
    (delete-directory dir t)
    (message "passed")))

(condition-case failure
    (test)
  (error (message "%s" (error-message-string failure)) (kill-emacs 1)))
;;; test.el ends here
