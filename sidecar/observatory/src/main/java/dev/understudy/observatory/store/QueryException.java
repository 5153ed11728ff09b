package dev.understudy.observatory.store;

/** A query that can't be answered. The message says what is wrong with it, or which limit it met. */
public final class QueryException extends Exception {
    private static final long serialVersionUID = 1;

    QueryException(String message) {
        super(message);
    }

    QueryException(String message, Throwable cause) {
        super(message, cause);
    }
}
