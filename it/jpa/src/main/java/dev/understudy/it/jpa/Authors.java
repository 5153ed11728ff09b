package dev.understudy.it.jpa;

import java.math.BigDecimal;
import java.util.List;
import java.util.Optional;
import org.springframework.data.domain.Page;
import org.springframework.data.domain.Pageable;
import org.springframework.data.jpa.repository.EntityGraph;
import org.springframework.data.jpa.repository.JpaRepository;
import org.springframework.data.jpa.repository.Modifying;
import org.springframework.data.jpa.repository.Query;

/** Derived, written and paged queries. */
interface Authors extends JpaRepository<Author, Long> {
    @EntityGraph(attributePaths = "books")
    Optional<Author> findWithBooksById(Long id);

    Page<Author> findByNameContaining(String part, Pageable page);

    @Query("select a.name, count(b), sum(b.price) from Author a left join a.books b group by a.name order by a.name")
    List<Object[]> worth();

    @Modifying
    @Query("update Book b set b.price = b.price + :by where b.author.id = :author")
    int raise(BigDecimal by, Long author);
}
