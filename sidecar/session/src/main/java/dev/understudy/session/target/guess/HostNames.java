package dev.understudy.session.target.guess;

import dev.understudy.session.host.HostCommand;
import java.io.IOException;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Pattern;

/**
 * The host names by which the target means an address: what its settings name and its hosts file has. Names are looked
 * up as the target does: in its network, with its name server, by this machine's own program. At most so many, in at
 * most so much time.
 */
public final class HostNames {
    private static final int MOST_LOOKED_UP = 32;
    private static final int MOST_LINES = 1000;
    private static final int MOST_NAMES = 50;
    private static final Duration LIMIT = Duration.ofSeconds(3);
    private static final Pattern NAME =
            Pattern.compile("(?=.{1,253}$)[A-Za-z0-9_](?:[A-Za-z0-9_-]{0,62})(?:\\.[A-Za-z0-9_-]{1,63}){0,20}\\.?");
    /** Only what is one for certain: all else would be looked up. */
    private static final Pattern ADDRESS = Pattern.compile("(?:(?:25[0-5]|2[0-4]\\d|1?\\d?\\d)\\.){3}"
            + "(?:25[0-5]|2[0-4]\\d|1?\\d?\\d)|[0-9a-fA-F.]{0,30}:[0-9a-fA-F:.]{1,45}");

    private static final String LOOK_UP = "for name; do echo \"> $name\"; getent ahosts \"$name\"; done; exit 0";
    /** A bind mount of the target's own files would come from another mount namespace, which isn't permitted. */
    private static final String WITH_THE_TARGETS_FILES = "mount --make-rprivate /"
            + " && mount -t tmpfs -o size=1m,mode=0700 names /tmp"
            + " && printf %s \"$UNDERSTUDY_HOSTS\" >/tmp/hosts && printf %s \"$UNDERSTUDY_RESOLV\" >/tmp/resolv.conf"
            + " && mount --bind /tmp/hosts /etc/hosts && mount --bind /tmp/resolv.conf /etc/resolv.conf || exit 1; "
            + LOOK_UP;

    private final long pid;
    private final boolean isHere;

    /** @param isHere whether the target is in this process's own network and file system */
    public HostNames(long pid, boolean isHere) {
        this.pid = pid;
        this.isHere = isHere;
    }

    /**
     * Finds the names of these addresses.
     *
     * @param files the target's own
     * @param notes gets a sentence if something couldn't be looked up
     */
    public Map<String, List<String>> find(
            Collection<InetAddress> addresses, SettingWords settings, NameFiles files, Collection<String> notes)
            throws InterruptedException {
        Map<String, Set<String>> found = new TreeMap<>();
        addresses.forEach(address -> found.put(address.getHostAddress(), new TreeSet<>()));
        files.hosts().lines().limit(MOST_LINES).forEach(line -> {
            String[] words = line.split("#", 2)[0].strip().split("\\s+", -1);
            for (int n = 1; n < Math.min(words.length, MOST_NAMES); n++) {
                add(found, words[0], words[n]);
            }
        });
        Set<String> names = new LinkedHashSet<>();
        for (EndpointMention mention : EndpointMentions.in(settings)) {
            if (NAME.matcher(mention.host()).matches()
                    && !ADDRESS.matcher(mention.host()).matches()) {
                names.add(mention.host());
            }
        }
        if (!names.isEmpty() && !addresses.isEmpty()) {
            lookUp(names, files, found, notes);
        }
        Map<String, List<String>> lists = new TreeMap<>();
        found.forEach((address, all) -> lists.put(address, List.copyOf(all)));
        return lists;
    }

    private void lookUp(Set<String> names, NameFiles files, Map<String, Set<String>> found, Collection<String> notes)
            throws InterruptedException {
        if (names.size() > MOST_LOOKED_UP) {
            notes.add("Only " + MOST_LOOKED_UP + " of " + names.size() + " host names in the settings were looked up.");
        }
        List<String> command = new ArrayList<>(prefix());
        names.stream().limit(MOST_LOOKED_UP).forEach(command::add);
        try {
            HostCommand.Result result = HostCommand.run(LIMIT, files.environment(), command);
            read(result.output(), found);
            if (!result.isFine()) {
                notes.add("Not all host names in the settings could be looked up"
                        + (result.code() < 0 ? " within " + LIMIT.toSeconds() + " s" : "")
                        + "; the copy may lack some in its hosts file.");
            }
        } catch (IOException noProgram) {
            notes.add("Host names in the settings can't be looked up: nsenter, sh or getent is missing"
                    + " (install util-linux and libc-bin).");
        }
    }

    /**
     * The addresses of a host as the target finds it; empty if it finds none.
     *
     * @param host a name or an address
     * @param files the target's own
     */
    public Set<InetAddress> addresses(String host, NameFiles files) throws InterruptedException {
        Set<InetAddress> addresses = new LinkedHashSet<>();
        if (ADDRESS.matcher(host).matches()) {
            add(addresses, host);
        } else if (NAME.matcher(host).matches()) {
            List<String> command = new ArrayList<>(prefix());
            command.add(host);
            try {
                HostCommand.run(LIMIT, files.environment(), command)
                        .output()
                        .lines()
                        .skip(1)
                        .limit(MOST_NAMES)
                        .forEach(line -> add(addresses, line.split("\\s", 2)[0]));
            } catch (IOException noProgram) {
                return addresses;
            }
        }
        return addresses;
    }

    private static void add(Set<InetAddress> addresses, String text) {
        try {
            if (ADDRESS.matcher(text).matches()) {
                addresses.add(InetAddress.getByName(text));
            }
        } catch (UnknownHostException noAddress) {
            // not one
        }
    }

    private List<String> prefix() {
        return isHere
                ? List.of("sh", "-c", LOOK_UP, "sh")
                : List.of(
                        "nsenter",
                        "--net=/proc/" + pid + "/ns/net",
                        "unshare",
                        "--mount",
                        "sh",
                        "-c",
                        WITH_THE_TARGETS_FILES,
                        "sh");
    }

    /** A line with a name, and then lines that begin with an address each. */
    static void read(String output, Map<String, Set<String>> found) {
        String name = "";
        for (String line : output.lines().limit(20L * MOST_LINES).toList()) {
            if (line.startsWith("> ")) {
                name = line.substring(2);
            } else if (!name.isEmpty()) {
                add(found, line.split("\\s", 2)[0], name);
            }
        }
    }

    private static void add(Map<String, Set<String>> found, String address, String name) {
        if (!ADDRESS.matcher(address).matches() || !NAME.matcher(name).matches()) {
            return;
        }
        try {
            // an address is read, never looked up, and has one form then
            Set<String> names = found.get(InetAddress.getByName(address).getHostAddress());
            if (names != null && names.size() < MOST_NAMES) {
                names.add(name);
            }
        } catch (UnknownHostException noAddress) {
            // not one
        }
    }
}
