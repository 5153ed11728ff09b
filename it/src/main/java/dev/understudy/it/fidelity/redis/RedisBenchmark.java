package dev.understudy.it.fidelity.redis;

import dev.understudy.it.bench.process.Programs;
import dev.understudy.it.bench.process.Shell;
import dev.understudy.it.fidelity.Side;
import dev.understudy.it.fidelity.wire.RespReader;
import dev.understudy.it.fidelity.wire.Witness;
import dev.understudy.it.fidelity.wire.Witnessed;
import java.util.List;

/** Redis's own redis-benchmark with all its tests. */
public final class RedisBenchmark implements RedisSuite {
    private final int requests;
    private final int clients;
    private final int pipeline;

    /**
     * Makes one.
     *
     * @param requests of each test, of all clients together
     * @param pipeline how many of them a client sends at once
     */
    public RedisBenchmark(int requests, int clients, int pipeline) {
        this.requests = requests;
        this.clients = clients;
        this.pipeline = pipeline;
    }

    @Override
    public String name() {
        return pipeline == 1 ? "redis-benchmark" : "redis-benchmark-pipelined";
    }

    @Override
    public String about() {
        return "redis-benchmark -n %d -c %d -P %d, all tests; an operation is a command"
                .formatted(requests, clients, pipeline);
    }

    @Override
    public List<String> programs() {
        return List.of("redis-benchmark", "redis-cli");
    }

    @Override
    public void run(Side side) throws Exception {
        try (Witness witness = new Witness(side.port())) {
            Shell.run(List.of(
                    Programs.path("redis-benchmark"),
                    "-h",
                    "127.0.0.1",
                    "-p",
                    Integer.toString(witness.port()),
                    "-n",
                    Integer.toString(requests),
                    "-c",
                    Integer.toString(clients),
                    "-P",
                    Integer.toString(pipeline),
                    "-q"));
            Witnessed.byForm(witness.connections(), RespReader::read, side.transcript());
        }
    }
}
