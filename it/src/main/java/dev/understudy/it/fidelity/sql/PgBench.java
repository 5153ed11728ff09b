package dev.understudy.it.fidelity.sql;

import dev.understudy.it.bench.process.Programs;
import dev.understudy.it.bench.process.Shell;
import dev.understudy.it.fidelity.Side;
import dev.understudy.it.fidelity.Suite;
import dev.understudy.it.fidelity.server.Server;
import dev.understudy.it.fidelity.wire.PgReader;
import dev.understudy.it.fidelity.wire.Witness;
import dev.understudy.it.fidelity.wire.Witnessed;
import java.util.ArrayList;
import java.util.List;

/** PostgreSQL's own pgbench with its TPC-B transactions, one query mode, and the same random seed on both sides. */
public final class PgBench implements Suite {
    private final String mode;
    private final int clients;
    private final int transactions;

    /**
     * Makes one.
     *
     * @param mode as pgbench calls it: simple, extended or prepared
     * @param transactions of each client
     */
    public PgBench(String mode, int clients, int transactions) {
        this.mode = mode;
        this.clients = clients;
        this.transactions = transactions;
    }

    @Override
    public String name() {
        return "pgbench-" + mode;
    }

    @Override
    public String about() {
        return "pgbench -M %s -c %d -t %d, TPC-B; an operation is a statement".formatted(mode, clients, transactions);
    }

    @Override
    public Server.Kind server() {
        return Server.Kind.POSTGRES;
    }

    @Override
    public List<String> programs() {
        return List.of("pgbench");
    }

    @Override
    public void prepare(Server server) throws Exception {
        pgbench("bench", server.port(), "-i", "-q", "-s", "1");
    }

    @Override
    public void run(Side side) throws Exception {
        try (Witness witness = new Witness(side.port())) {
            pgbench(
                    side.user(),
                    witness.port(),
                    "-n",
                    "-M",
                    mode,
                    "-c",
                    Integer.toString(clients),
                    "-t",
                    Integer.toString(transactions),
                    "--random-seed=1");
            Witnessed.byPlace(witness.connections(), PgReader::read, side.transcript());
        }
    }

    private static void pgbench(String user, int port, String... more) throws Exception {
        List<String> command = new ArrayList<>(List.of(
                "env",
                "PGSSLMODE=disable",
                "PGGSSENCMODE=disable",
                Programs.path("pgbench"),
                "-h",
                "127.0.0.1",
                "-p",
                Integer.toString(port),
                "-U",
                user));
        command.addAll(List.of(more));
        command.add("postgres");
        Shell.run(command);
    }
}
