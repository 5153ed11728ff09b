package dev.understudy.divergence.wire.mysql.result;

/** What ends a result: {@link Ok} or {@link Err}. */
public sealed interface Ending extends Result permits Ok, Err {
    @Override
    default Ending ending() {
        return this;
    }
}
