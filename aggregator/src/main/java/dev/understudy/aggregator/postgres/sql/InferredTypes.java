package dev.understudy.aggregator.postgres.sql;

import dev.understudy.divergence.wire.postgres.Frontend;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;

/**
 * Keeps apart what a client declares of its own and what it has from the server.
 *
 * <p>pgjdbc leaves a parameter's type open (0) at first. On a connection on which it has had the statement described,
 * it may declare the inferred type, or go on using the statement that was prepared with 0 and send binary values of the
 * inferred type. When that happens depends on the connection's past, which the two JVMs don't share; to the server all
 * of that means the same. Confined to its connection.
 */
public final class InferredTypes {
    private static final int STATEMENTS = 1000;

    /** Memory of all statements, the latest of which is known however long it is. */
    private static final long MOST_BYTES = 1 << 20;

    private static final long PER_STATEMENT = 200;
    private static final long PER_TYPE = 20;

    private final Map<String, Known> statements = new LinkedHashMap<>(16, 0.75f, true);
    private long bytes;

    /** What the server inferred for a statement, and where the client has sent text of no type. */
    private static final class Known {
        private List<Integer> inferred = List.of();
        private final BitSet untyped = new BitSet();

        long bytes(String sql) {
            return PER_STATEMENT + 2L * sql.length() + PER_TYPE * inferred.size() + untyped.size() / Byte.SIZE;
        }
    }

    /** Memory that the statements take. */
    public long heldBytes() {
        return bytes;
    }

    /** The server has described a statement's parameters to this client. */
    public void described(String sql, List<Integer> described) {
        change(sql, known -> known.inferred = described);
    }

    /** The client has bound values to a statement. */
    public void bound(String sql, List<Integer> own, Frontend.Bind bind) {
        for (int i = 0; i < own.size() && i < bind.parameters().size(); i++) {
            if (own.get(i) == 0
                    && bind.parameters().get(i) != null
                    && !bind.given().binary(i)) {
                int place = i;
                change(sql, known -> known.untyped.set(place));
            }
        }
    }

    /** The declared types without those that this client has from the server. */
    public List<Integer> undo(String sql, List<Integer> declared) {
        Known known = statements.get(sql);
        if (known == null) {
            return declared;
        }
        List<Integer> own = new ArrayList<>(declared);
        for (int i = 0; i < own.size() && i < known.inferred.size(); i++) {
            if (known.untyped.get(i) && own.get(i).equals(known.inferred.get(i))) {
                own.set(i, 0);
            }
        }
        return own;
    }

    /** The parameters of a bound statement, with the types that make them recognisable. */
    public List<Parameter> parameters(String sql, List<Integer> own, Frontend.Bind bind) {
        Known known = statements.get(sql);
        List<Parameter> parameters = new ArrayList<>(bind.parameters().size());
        for (int i = 0; i < bind.parameters().size(); i++) {
            boolean binary = bind.given().binary(i);
            int type = i < own.size() ? own.get(i) : 0;
            if (type == 0 && binary && known != null && i < known.inferred.size()) {
                type = known.inferred.get(i);
            }
            parameters.add(new Parameter(type, binary, bind.parameters().get(i)));
        }
        return parameters;
    }

    private void change(String sql, Consumer<Known> change) {
        Known known = statements.get(sql);
        if (known == null) {
            known = new Known();
            statements.put(sql, known);
        } else {
            bytes -= known.bytes(sql);
        }
        change.accept(known);
        bytes += known.bytes(sql);
        Iterator<Map.Entry<String, Known>> eldest = statements.entrySet().iterator();
        while (statements.size() > STATEMENTS || (bytes > MOST_BYTES && statements.size() > 1)) {
            Map.Entry<String, Known> gone = eldest.next();
            bytes -= gone.getValue().bytes(gone.getKey());
            eldest.remove();
        }
    }
}
