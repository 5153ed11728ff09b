package dev.understudy.it.bench.thesis;

import dev.understudy.it.bench.process.Shell;
import dev.understudy.it.bench.report.Table;
import dev.understudy.it.bench.subject.Subject;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Table 3.5: mysqlslap's queries from 20 connections on a database of employees and salaries. */
public final class SlapTable {
    private static final Pattern AVERAGE = Pattern.compile("Average number of seconds to run all queries: ([0-9.]+)");
    private static final int CONNECTIONS = 20;
    private static final String QUERIES = "select count(*) from salaries where amount > 60000;"
            + "select name from employees where id between 1000 and 1400;"
            + "select e.name, s.amount from employees e join salaries s on s.employee = e.id where e.id = 4711;"
            + "select max(amount) from salaries where employee between 2000 and 9000;"
            + "select name from employees where id = 299999";
    private static final String SCHEMA = "create database company; use company;"
            + "create table employees (id int primary key, name char(32)) as"
            + " select seq as id, md5(seq) as name from seq_1_to_%1$d;"
            + "create table salaries (id int primary key, employee int, amount int, key (employee)) as"
            + " select seq as id, seq mod %1$d as employee, 30000 + seq mod 50000 as amount from seq_1_to_%2$d";

    private final Path folder;
    private final Path sidecar;
    private final int employees;
    private final int rounds;

    /** @param employees rows; there were 300 000, with 2.8 million salaries */
    public SlapTable(Path folder, Path sidecar, int employees, int rounds) {
        this.folder = folder;
        this.sidecar = sidecar;
        this.employees = employees;
        this.rounds = rounds;
    }

    /** Adds the table. */
    public void measure(Table table) throws IOException, InterruptedException {
        table.line("### Table 3.5: mysqlslap").line("");
        if (!MariaDb.installed()) {
            table.line("Not measured: there is no MariaDB here.").line("");
            return;
        }
        Map<String, double[]> seconds = new LinkedHashMap<>();
        try (MariaDb production = MariaDb.start(folder.resolve("slap-production"), List.of());
                MariaDb debug = MariaDb.start(folder.resolve("slap-debug"), List.of("nice", "-n", "19"));
                Subject proxy = Subject.sidecar(folder, sidecar, "slap-proxy", production.port(), 0, "tcp", "");
                Subject duplication = Subject.sidecar(
                        folder, sidecar, "slap-duplication", production.port(), debug.port(), "tcp", "")) {
            String schema = SCHEMA.formatted(employees, employees * 9L);
            production.run(schema);
            debug.run(schema);
            Map<String, Integer> ports = new LinkedHashMap<>();
            ports.put("direct", production.port());
            ports.put("proxy", proxy.web());
            ports.put("duplication", duplication.web());
            for (int round = -1; round < rounds; round++) {
                for (Map.Entry<String, Integer> way : ports.entrySet()) {
                    double took = slap(way.getValue());
                    if (round >= 0) {
                        seconds.computeIfAbsent(way.getKey(), none -> new double[rounds])[round] = took;
                    }
                }
            }
        }
        table.line("5 queries from each of " + CONNECTIONS + " connections, 10 iterations; medians of " + rounds
                        + " rounds, in s, on " + String.format(Locale.ROOT, "%,d", employees) + " employees")
                .line("with 9 salaries each. The debug database shares the two processors "
                        + "with production, which it didn't in the")
                .line("thesis; it runs with the lowest priority (nice 19) to come near that.")
                .line("")
                .line("| | direct | proxy | duplication |")
                .line("| --- | --- | --- | --- |");
        StringBuilder line = new StringBuilder("| here |");
        seconds.values().forEach(each -> {
            Arrays.sort(each);
            line.append(String.format(Locale.ROOT, " %.3f |", each[each.length / 2]));
        });
        table.line(line.toString()).line("| thesis | 8.220 | 8.230 | 8.232 |").line("");
    }

    private static double slap(int port) throws IOException, InterruptedException {
        String said = Shell.run(List.of(
                "mariadb-slap",
                "--no-defaults",
                "--host=127.0.0.1",
                "--port=" + port,
                "--user=root",
                "--skip-ssl",
                "--no-drop",
                "--create-schema=company",
                "--delimiter=;",
                "--query=" + QUERIES,
                "--concurrency=" + CONNECTIONS,
                "--iterations=10"));
        Matcher average = AVERAGE.matcher(said);
        if (!average.find()) {
            throw new IOException("mariadb-slap said:\n" + said);
        }
        return Double.parseDouble(average.group(1));
    }
}
