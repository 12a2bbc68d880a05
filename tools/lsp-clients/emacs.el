;;; emacs.el --- Uses datachain.el in Emacs  -*- lexical-binding: t; -*-

;; Opens documents with mistakes: diagnostics appear, code actions fix them, hover and
;; completion answer, the commands resolve and preview, and ids are found and renamed
;; across files.

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

(defun write-and-open (name text)
  "Write TEXT to the file NAME of a new directory and open it with the server."
  (let* ((dir (make-temp-file "datachain-" t))
         (file (expand-file-name name dir)))
    (push dir directories)
    (make-directory (expand-file-name ".git" dir))
    (with-temp-file file (insert text))
    (visit file)))

(defun visit (file)
  "Open FILE with the server."
  (find-file file)
  (unless (eglot-current-server) (apply #'eglot (eglot--guess-contact))))

(defun at (part)
  "Move behind PART."
  (goto-char (point-min))
  (unless (search-forward part nil t) (error "No %s in %s" part (buffer-string))))

(defun has (part)
  "Return whether the buffer has PART."
  (save-excursion (goto-char (point-min)) (search-forward part nil t)))

(defun titles (actions)
  "Return the titles of ACTIONS."
  (mapcar (lambda (a) (plist-get a :title)) actions))

(defun hover ()
  "Return the hover at point."
  (let (shown)
    (eglot-hover-eldoc-function (lambda (text &rest _) (setq shown (substring-no-properties text))))
    (await "a hover" (lambda () shown))))

(defun sample ()
  "Return the text of a valid document."
  (with-temp-buffer
    (insert-file-contents (expand-file-name "../../examples/documents/air-station.json" here))
    (buffer-string)))

(defun test-document ()
  "Use a document as an author does."
  (write-and-open "air.datachain.json"
                  (string-replace "Air on" "😀 漢字 on" (string-replace "purpose.environment" "purpose.enviroment" (sample))))
  (expect "the mode is that of datachains" (eq major-mode 'datachain-mode))
  (let ((file buffer-file-name))
    (let* ((found (await "a diagnostic" (lambda () (car (diagnostics)))))
           (text (buffer-substring-no-properties (flymake-diagnostic-beg found) (flymake-diagnostic-end found))))
      (expect (format "the diagnostic is about %s" text) (equal text "\"purpose.enviroment\""))
      (expect "the diagnostic explains itself" (string-match-p "There is no element" (flymake-diagnostic-text found)))
      (message "diagnostic: %s" (car (split-string (flymake-diagnostic-text found) "\n")))

      (goto-char (+ 2 (flymake-diagnostic-beg found)))
      (let* ((actions (append (eglot-code-actions (point) (point) "quickfix") nil))
             (fix (cl-find "Write purpose.environment" actions :key (lambda (a) (plist-get a :title)) :test #'equal)))
        (expect (format "there is a code action in %S" (titles actions)) fix)
        (eglot--apply-workspace-edit (plist-get fix :edit))
        (message "code action: %s" (plist-get fix :title))))
    (await "no diagnostics" (lambda () (null (diagnostics))))
    (expect "the text is fixed" (has "purpose.environment"))

    (at "purpose.envi")
    (let ((shown (hover)))
      (expect "the hover has the title" (string-match-p "Air, bruit et météo" shown))
      (expect "the hover has no data URI and no backslash" (not (string-match-p "data:image\\|\\\\" shown)))
      (message "hover: %s" (car (split-string shown "\n"))))

    (at "purpose.environment")
    (replace-match "mété")
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
    (expect "the document is resolved" (has "schema_snapshot"))
    (message "preview and resolve: done")

    (switch-to-buffer (find-buffer-visiting file))))

(defvar mistakes "{
  \"title\": \"Market square\",
  \"schema_version\": \"sensor@2026-11-15-stable\",
  \"elements\": [
    {\"element_id\": \"purpose.environment\", \"context_type_id\": \"always_on\", \"lable\": \"Air\"},
    {\"element_id\": \"device.station\"},
    {\"element_id\": \"data.surroundings\", \"context_type_id\": \"does_not_identify_people\", \"variables\": [{\"id\": \"measured\", \"value\": \"air_quality\"}]},
    {\"element_id\": \"responsible.in_charge\", \"variables\": [{\"id\": \"organisation\", \"value\": [{\"locale\": \"en\", \"value\": \"Town of Lindenau\"}]}]}
  ]
}
")

(defun first-fix ()
  "Return the first fix of a diagnostic, or nil if there is none."
  (cl-some (lambda (d)
             (cl-find "quickfix" (eglot-code-actions (flymake-diagnostic-beg d) (flymake-diagnostic-beg d) "quickfix")
                      :key (lambda (a) (plist-get a :kind)) :test #'equal))
           (diagnostics)))

(defun test-fixes ()
  "Fix common mistakes one by one, until no fix is left."
  (write-and-open "mistakes.datachain.json" mistakes)
  (await "diagnostics" (lambda () (> (length (diagnostics)) 5)))
  (let ((count 0) fix)
    (while (and (setq fix (first-fix)) (< count 20))
      (let ((before (mapcar #'flymake-diagnostic-text (flymake-diagnostics))))
        (eglot--apply-workspace-edit (plist-get fix :edit))
        (cl-incf count)
        (await "other diagnostics" (lambda () (not (equal before (mapcar #'flymake-diagnostic-text (diagnostics))))))))
    (dolist (part '("\"id\": \"mistakes\"" "\"created_at\": \"20" "\"title\": [{\"locale\": \"en\", \"value\": \"Market square\"}]"
                    "\"label\": \"Air\"" "\"device.station\", \"context_type_id\": \"" "\"value\": [\"air_quality\"]" "\"id\": \"contact\""))
      (expect (format "%s was written in %s" part (buffer-string)) (has part)))
    (expect "a context that does not belong was removed" (not (has "\"purpose.environment\", \"context_type_id\"")))
    (message "%d fixes: done" count)))

(defun test-title ()
  "Complete a title, and find no upgrade of an unknown version."
  (write-and-open "title.datachain.json" "{\"schema_version\": \"sensor@2026-11-15-stable\", \"title\": , \"elements\": []}")
  (at "\"title\": ")
  (pcase-let* ((`(,start ,end ,table . ,plist) (eglot-completion-at-point))
               (item (cl-find "(en)" (all-completions (buffer-substring start end) table) :test #'string-search)))
    (expect "a title is offered" item)
    (delete-region start end)
    (insert item)
    (funcall (plist-get plist :exit-function) item 'finished))
  (expect (format "the title is whole in %s" (buffer-string)) (has "\"title\": [{\"locale\": \"en\", \"value\": \"\"}], \"elements\""))

  (write-and-open "old.datachain.json" (string-replace "2026-11-15" "2020-01-01" (sample)))
  (let ((found (await "a diagnostic" (lambda () (car (diagnostics))))))
    (expect "the version is unknown" (string-match-p "no schema version" (flymake-diagnostic-text found))))
  (message "the completion of a title: done"))

(defun test-source ()
  "Find and rename ids of the source that the project file names, in the source and in a document."
  (let* ((dir (file-name-as-directory (make-temp-file "datachain-" t)))
         (tree (expand-file-name "../../cmd/datachain/testdata/tree/" here))
         (doc (concat dir "bikes.datachain.json"))
         (datachain-arguments nil))
    (push dir directories)
    (make-directory (concat dir ".git"))
    (copy-directory (concat tree "schemas/bikes") (concat dir "taxonomies/bikes") nil t t)
    (copy-file (concat tree "documents/good.json") doc)
    (with-temp-file (concat dir "datachain.yaml") (insert "schemas: taxonomies\n"))
    (visit doc)
    (find-file (concat dir "taxonomies/bikes/2026-09-01-beta/elements/all.yaml"))
    (datachain-mode) ; as the documentation says for other files
    (unless (eglot-current-server) (apply #'eglot (eglot--guess-contact)))
    (at "id: data.tri")
    (let ((files (await "references in both files"
                        (lambda ()
                          (let ((found (mapcar (lambda (x) (file-name-nondirectory (xref-location-group (xref-item-location x))))
                                               (xref-backend-references 'eglot "LSP identifier at point."))))
                            (and (member "bikes.datachain.json" found) found))))))
      (expect (format "references in %S" files) (member "all.yaml" files)))
    (let ((eglot-confirm-server-initiated-edits nil)) (eglot-rename "data.rides"))
    (expect "the source is renamed" (has "id: data.rides"))
    (expect "the document is renamed" (with-current-buffer (find-buffer-visiting doc) (has "\"data.rides\"")))
    (expect (format "there is an outline: %S" (eglot-imenu)) (assoc "Battery" (flatten-outline (eglot-imenu)))))
  (message "references, rename and outline: done"))

(defun flatten-outline (entries)
  "Return ENTRIES of an outline and those in them."
  (cl-mapcan (lambda (e) (cons e (and (consp (cdr e)) (consp (cadr e)) (flatten-outline (cdr e))))) (copy-sequence entries)))

(defvar directories nil "Directories to remove at the end.")

(defun test ()
  "Run all tests, and end the servers."
  (unwind-protect
      (progn
        (test-document)
        (setq datachain-locale nil)
        (test-fixes)
        (test-title)
        (test-source))
    (dolist (buffer (cl-remove-if-not #'buffer-file-name (buffer-list)))
      (with-current-buffer buffer
        (set-buffer-modified-p nil)
        (when (eglot-current-server) (eglot-shutdown (eglot-current-server)))))
    (dolist (dir directories) (delete-directory dir t)))
  (message "passed"))

(condition-case failure
    (test)
  (error (message "%s" (error-message-string failure)) (kill-emacs 1)))
;;; emacs.el ends here
