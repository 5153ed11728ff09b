package dev.understudy.it.bench.process;

import java.io.Closeable;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/**
 * Hosts of their own, as network namespaces around one bridge: 10.77.0.1, 10.77.0.2 and so on, each with a cable whose
 * rate is limited both ways. Needs root.
 */
public final class Namespaces implements Closeable {
    private static final String PREFIX = "understudy-";

    private final String mark = Long.toString(ProcessHandle.current().pid() % 10_000);
    private final List<String> hosts = new ArrayList<>();
    private String limitedBy = "";

    private Namespaces() {}

    /**
     * Opens them.
     *
     * @param rate of each cable, as tc takes it
     */
    public static Namespaces open(List<String> names, String rate) throws IOException, InterruptedException {
        Namespaces all = new Namespaces();
        try {
            all.add("switch");
            all.in("switch", List.of("ip", "link", "add", "br0", "type", "bridge"));
            all.in("switch", List.of("ip", "link", "set", "br0", "up"));
            for (int n = 0; n < names.size(); n++) {
                all.connect(names.get(n), n + 1, rate);
            }
            return all;
        } catch (IOException | InterruptedException failed) {
            all.close();
            throw failed;
        }
    }

    /** The discipline that limits the cables: tbf or htb; "" if the kernel has neither. */
    public String limitedBy() {
        return limitedBy;
    }

    /** The address of the nth host, from 1. */
    public static String address(int host) {
        return "10.77.0." + host;
    }

    /** The beginning of a command that runs on {@code host}. */
    public List<String> on(String host) {
        return List.of("ip", "netns", "exec", name(host));
    }

    private void connect(String host, int number, String rate) throws IOException, InterruptedException {
        add(host);
        String far = "p" + number;
        Shell.run(List.of(
                "ip",
                "link",
                "add",
                "eth0",
                "netns",
                name(host),
                "type",
                "veth",
                "peer",
                "name",
                far,
                "netns",
                name("switch")));
        in("switch", List.of("ip", "link", "set", far, "master", "br0", "up"));
        in(host, List.of("ip", "address", "add", address(number) + "/24", "dev", "eth0"));
        in(host, List.of("ip", "link", "set", "eth0", "up"));
        in(host, List.of("ip", "link", "set", "lo", "up"));
        limit(host, "eth0", rate);
        limit("switch", far, rate);
    }

    private void limit(String host, String device, String rate) throws IOException, InterruptedException {
        List<String> root = List.of("tc", "qdisc", "add", "dev", device, "root");
        try {
            List<String> bucket = new ArrayList<>(root);
            bucket.addAll(List.of("tbf", "rate", rate, "burst", "256k", "latency", "20ms"));
            in(host, bucket);
            limitedBy = "tbf";
        } catch (IOException noBucket) {
            try {
                List<String> tree = new ArrayList<>(root);
                tree.addAll(List.of("handle", "1:", "htb", "default", "1"));
                in(host, tree);
                in(
                        host,
                        List.of(
                                "tc", "class", "add", "dev", device, "parent", "1:", "classid", "1:1", "htb", "rate",
                                rate));
                limitedBy = "htb";
            } catch (IOException noTree) {
                limitedBy = "";
            }
        }
    }

    private void add(String host) throws IOException, InterruptedException {
        Shell.run(List.of("ip", "netns", "add", name(host)));
        hosts.add(host);
    }

    private void in(String host, List<String> command) throws IOException, InterruptedException {
        List<String> all = new ArrayList<>(on(host));
        all.addAll(command);
        Shell.run(all);
    }

    private String name(String host) {
        return PREFIX + mark + "-" + host;
    }

    @Override
    public void close() {
        for (String host : hosts) {
            try {
                Shell.run(List.of("ip", "netns", "delete", name(host)));
            } catch (IOException stays) {
                System.err.println(stays.getMessage());
            } catch (InterruptedException hurry) {
                Thread.currentThread().interrupt();
            }
        }
    }
}
