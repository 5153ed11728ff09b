package dev.understudy.observatory.store;

import dev.understudy.observatory.event.TierExchange;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.io.TempDir;

/** A store in a folder of the test's, and what is asked of it. */
abstract class StoreStage {
    static final int SMALL = 5;
    static final long BEGUN = 1_764_000_000_000_000L;

    @TempDir
    Path folder;

    List<StoreFolder.Segment> add(int exchanges, long firstMicros) throws IOException {
        return add(store(), exchanges, firstMicros);
    }

    static List<StoreFolder.Segment> add(StoreFolder store, int exchanges, long firstMicros) throws IOException {
        List<StoreFolder.Segment> before = store.segments();
        try (StoreFolder.Writing writing = store.write()) {
            fill(writing, "from " + firstMicros, firstMicros, exchanges);
        }
        return store.segments().stream()
                .filter(segment -> !before.contains(segment))
                .toList();
    }

    static void fill(StoreFolder.Writing store, String origin, long firstMicros, int exchanges) throws IOException {
        try (StoreWriter writer = new StoreWriter(store, origin)) {
            for (int n = 0; n < exchanges; n++) {
                long start = firstMicros + n;
                writer.add(new TierExchange("web", "GET /" + n % 3, n, start, start + n % 1_000, 10, 20, 200, true));
            }
            writer.finish();
        }
    }

    /** More than two megabytes, however it is compressed. */
    static void addNoise(StoreFolder store) throws IOException {
        Random random = new Random(3);
        try (StoreFolder.Writing writing = store.write();
                StoreWriter writer = new StoreWriter(writing, "noise")) {
            for (int n = 0; n < 400_000; n++) {
                long size = random.nextLong() >>> 1;
                writer.add(new TierExchange("web", "GET /", n, BEGUN + n, BEGUN + n, size, size, 200, true));
            }
            writer.finish();
        }
    }

    StoreFolder store() {
        return new StoreFolder(folder);
    }

    StoreQuery query() {
        return new StoreQuery(store(), QueryLimits.USUAL);
    }

    List<List<@Nullable Object>> rows(String sql) throws QueryException, IOException {
        Rows rows = new Rows();
        query().run(sql, rows);
        return rows.all;
    }

    static class Rows implements ResultSink {
        final List<List<@Nullable Object>> all = new ArrayList<>();

        @Override
        public void columns(List<String> names) {}

        @Override
        public boolean row(List<@Nullable Object> values) {
            all.add(values);
            return true;
        }

        @Override
        public void end() {}
    }
}
