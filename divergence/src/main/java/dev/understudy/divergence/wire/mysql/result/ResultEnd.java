package dev.understudy.divergence.wire.mysql.result;

/** What ends a result: {@link Ok} or {@link Err}. */
public sealed interface ResultEnd extends Result permits Ok, Err {
    @Override
    default ResultEnd ending() {
        return this;
    }
}
