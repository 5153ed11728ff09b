package dev.understudy.aggregator.postgres.sql;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Undoes what a driver learns: pgjdbc leaves a parameter's type open (0) at first and, on a connection on which it has
 * asked the server to describe the statement, declares the type that the server inferred.
 *
 * <p>When that happens depends on the connection's past, which the two JVMs don't share. An inferred type declared means
 * the same as none, so it counts as none. Confined to its connection.
 */
public final class InferredTypes {
    private static final int STATEMENTS = 1000;

    private final Map<String, List<Integer>> inferred = new LinkedHashMap<>(16, 0.75f, true) {
        private static final long serialVersionUID = 1;

        @Override
        protected boolean removeEldestEntry(Map.Entry<String, List<Integer>> eldest) {
            return size() > STATEMENTS;
        }
    };

    /** The server has described a statement's parameters to this client. */
    public void described(String sql, List<Integer> declared, List<Integer> described) {
        List<Integer> types = new ArrayList<>(described);
        boolean any = false;
        for (int i = 0; i < types.size(); i++) {
            if (i < declared.size() && declared.get(i) != 0) {
                types.set(i, 0);
            } else {
                any = true;
            }
        }
        if (any) {
            inferred.put(sql, types);
        }
    }

    /** The declared types without those that this client has from the server. */
    public List<Integer> undo(String sql, List<Integer> declared) {
        List<Integer> types = inferred.get(sql);
        if (types == null) {
            return declared;
        }
        List<Integer> own = new ArrayList<>(declared);
        for (int i = 0; i < own.size() && i < types.size(); i++) {
            if (own.get(i).equals(types.get(i))) {
                own.set(i, 0);
            }
        }
        return own;
    }
}
