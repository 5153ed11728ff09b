package dev.understudy.it.jpa;

import java.math.BigDecimal;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;
import org.springframework.data.domain.Page;
import org.springframework.data.domain.PageRequest;
import org.springframework.data.domain.Sort;
import org.springframework.transaction.annotation.Transactional;
import org.springframework.web.bind.annotation.DeleteMapping;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;

/** What clients may ask; every answer tells all that the database said. */
@RestController
class LibraryController {
    private final Authors authors;

    LibraryController(Authors authors) {
        this.authors = authors;
    }

    @PostMapping("/authors/{name}")
    @Transactional
    String add(@PathVariable("name") String name, @RequestParam("books") int books) {
        Author author = new Author(name);
        for (int n = 0; n < books; n++) {
            author.books().add(new Book(author, name + "'s " + n, BigDecimal.valueOf(100 + n, 2)));
        }
        authors.saveAndFlush(author);
        return told(author);
    }

    @GetMapping("/authors/{id}")
    @Transactional(readOnly = true)
    String one(@PathVariable("id") long id) {
        return authors.findWithBooksById(id).map(LibraryController::told).orElse("none");
    }

    @GetMapping("/authors/{id}/lazily")
    @Transactional(readOnly = true)
    String lazily(@PathVariable("id") long id) {
        return authors.findById(id).map(LibraryController::told).orElse("none");
    }

    @GetMapping("/authors")
    String page(@RequestParam("part") String part, @RequestParam("page") int page) {
        Page<Author> found = authors.findByNameContaining(part, PageRequest.of(page, 3, Sort.by("name")));
        return found.getTotalElements() + " " + found.stream().map(Author::name).collect(Collectors.joining(" "));
    }

    @PostMapping("/authors/{id}/raise")
    @Transactional
    String raise(@PathVariable("id") long id) {
        Author author = authors.findById(id).orElseThrow();
        author.books().forEach(book -> book.raise(BigDecimal.ONE));
        authors.flush();
        return told(author);
    }

    @PostMapping("/authors/{id}/raise-all")
    @Transactional
    String raiseAll(@PathVariable("id") long id) {
        return authors.raise(BigDecimal.TEN, id) + " raised";
    }

    @PostMapping("/authors/{id}/regret")
    @Transactional
    String regret(@PathVariable("id") long id) {
        authors.raise(BigDecimal.valueOf(2), id);
        authors.flush();
        throw new IllegalStateException("regretted " + id);
    }

    @GetMapping("/worth")
    String worth() {
        List<Object[]> rows = authors.worth();
        return rows.stream().map(Arrays::toString).collect(Collectors.joining("\n"));
    }

    @DeleteMapping("/authors/{id}")
    @Transactional
    String delete(@PathVariable("id") long id) {
        authors.deleteById(id);
        authors.flush();
        return authors.count() + " left";
    }

    private static String told(Author author) {
        return author.id() + " " + author.name() + " " + author.books();
    }
}
