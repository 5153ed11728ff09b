package dev.understudy.it.jpa;

import jakarta.persistence.Entity;
import jakarta.persistence.FetchType;
import jakarta.persistence.GeneratedValue;
import jakarta.persistence.GenerationType;
import jakarta.persistence.Id;
import jakarta.persistence.ManyToOne;
import jakarta.persistence.Version;
import java.math.BigDecimal;
import java.time.Instant;
import org.hibernate.annotations.Generated;

/** Has a number and a time from the database, and a version. */
@Entity
class Book {
    @Id
    @GeneratedValue(strategy = GenerationType.IDENTITY)
    private Long id;

    @Version
    private int version;

    private String title;
    private BigDecimal price;

    @Generated
    private Instant bought;

    @ManyToOne(fetch = FetchType.LAZY, optional = false)
    private Author author;

    protected Book() {}

    Book(Author author, String title, BigDecimal price) {
        this.author = author;
        this.title = title;
        this.price = price;
    }

    void raise(BigDecimal by) {
        price = price.add(by);
    }

    @Override
    public String toString() {
        return id + " " + title + " " + price + " " + version + " " + bought + " of " + author.id();
    }
}
