package dev.understudy.example.orders.ordering;

import org.springframework.http.HttpStatus;
import org.springframework.web.server.ResponseStatusException;

/** The order would cost something else than its quote has promised; nothing was ordered. */
final class QuoteBroken extends ResponseStatusException {
    private static final long serialVersionUID = 1L;

    QuoteBroken(long quotedCents, long totalCents) {
        super(
                HttpStatus.UNPROCESSABLE_CONTENT,
                "The order costs " + totalCents + " cents, the quote said " + quotedCents);
    }
}
