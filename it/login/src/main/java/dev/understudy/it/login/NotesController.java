package dev.understudy.it.login;

import java.net.URI;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import org.springframework.http.HttpStatus;
import org.springframework.http.ResponseEntity;
import org.springframework.security.web.csrf.CsrfToken;
import org.springframework.web.bind.annotation.DeleteMapping;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.PutMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RequestHeader;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;

/** Notes by pages and forms, and by JSON. */
@RestController
class NotesController {
    private final Map<UUID, Note> notes = new ConcurrentHashMap<>();
    private final AtomicInteger changes = new AtomicInteger();

    /** What a script sends. */
    record Draft(String text, UUID about) {}

    @GetMapping(path = "/", produces = "text/html")
    String page(CsrfToken csrf) {
        return """
                <!doctype html>
                <title>Notes</title>
                <meta name="_csrf" content="%1$s">
                <form method="post" action="/notes">
                <input name="_csrf" type="hidden" value="%1$s">
                <textarea name="text"></textarea>
                </form>
                """.formatted(csrf.getToken());
    }

    @GetMapping("/csrf")
    CsrfToken token(CsrfToken csrf) {
        return csrf;
    }

    @PostMapping(path = "/notes", consumes = "application/x-www-form-urlencoded")
    ResponseEntity<Void> post(@RequestParam String text, @RequestParam(required = false) UUID about) {
        return ResponseEntity.status(HttpStatus.SEE_OTHER)
                .location(URI.create("/notes/" + add(text, about).id()))
                .build();
    }

    @PostMapping(path = "/notes", consumes = "multipart/form-data")
    ResponseEntity<Note> upload(@RequestParam String text, @RequestParam UUID about) {
        return shown(add(text, about), HttpStatus.CREATED);
    }

    @PostMapping(path = "/notes", consumes = "application/json")
    ResponseEntity<Note> create(@RequestBody Draft draft) {
        return shown(add(draft.text(), draft.about()), HttpStatus.CREATED);
    }

    @GetMapping("/notes")
    List<Note> about(@RequestParam UUID about) {
        return notes.values().stream()
                .filter(note -> about.equals(note.about()))
                .sorted(Comparator.comparing(Note::text))
                .toList();
    }

    @GetMapping("/notes/{id}")
    ResponseEntity<Note> read(@PathVariable UUID id) {
        Note note = notes.get(id);
        return note == null ? ResponseEntity.notFound().build() : shown(note, HttpStatus.OK);
    }

    @PutMapping("/notes/{id}")
    ResponseEntity<Note> change(
            @PathVariable UUID id, @RequestHeader("If-Match") String seen, @RequestBody Draft draft) {
        Note before = notes.get(id);
        if (before == null) {
            return ResponseEntity.notFound().build();
        }
        if (!before.etag().equals(seen)) {
            return ResponseEntity.status(HttpStatus.PRECONDITION_FAILED).build();
        }
        Note after = new Note(id, draft.text(), before.revision() + 1, draft.about());
        notes.put(id, after);
        changes.incrementAndGet();
        return shown(after, HttpStatus.OK);
    }

    @DeleteMapping("/notes/{id}")
    ResponseEntity<Void> delete(@PathVariable UUID id) {
        if (notes.remove(id) == null) {
            return ResponseEntity.notFound().build();
        }
        changes.incrementAndGet();
        return ResponseEntity.noContent().build();
    }

    @GetMapping("/figures")
    Map<String, Integer> figures() {
        return Map.of("notes", notes.size(), "changes", changes.get());
    }

    private Note add(String text, UUID about) {
        if (about != null && !notes.containsKey(about)) {
            throw new IllegalArgumentException("about nothing: " + about);
        }
        Note note = new Note(UUID.randomUUID(), text, 1, about);
        notes.put(note.id(), note);
        changes.incrementAndGet();
        return note;
    }

    private static ResponseEntity<Note> shown(Note note, HttpStatus status) {
        return ResponseEntity.status(status).eTag(note.etag()).body(note);
    }
}
