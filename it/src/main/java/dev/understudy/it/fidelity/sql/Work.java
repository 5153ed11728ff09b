package dev.understudy.it.fidelity.sql;

import java.sql.Connection;

/** Something that is done over a connection; what came of it, as text. */
@FunctionalInterface
interface Work {
    String on(Connection connection) throws Exception;
}
