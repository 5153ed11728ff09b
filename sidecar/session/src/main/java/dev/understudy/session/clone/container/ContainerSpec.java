package dev.understudy.session.clone.container;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.understudy.session.clone.CloneException;
import dev.understudy.session.clone.container.SpecMount.Way;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;

/**
 * A container's specification, by which its engine had it started: the {@code config.json} of the OCI runtime
 * specification. It holds image, options, environment, rights, limits and volumes. It holds secrets: never shown.
 */
public final class ContainerSpec {
    private static final int LARGEST = 8 << 20;
    private static final int MOST_MOUNTS = 500;
    private static final long LARGEST_FILE = 64L << 20;
    private static final Set<String> KERNELS_OWN =
            Set.of("proc", "tmpfs", "devpts", "sysfs", "mqueue", "cgroup", "cgroup2");
    /** Of what a copy must have of its own, or it could reach production or this machine. */
    private static final List<String> NAMESPACES = List.of("mount", "pid", "ipc", "uts");

    private final ObjectNode spec;
    private final List<SpecMount> mounts;

    private ContainerSpec(ObjectNode spec, List<SpecMount> mounts) {
        this.spec = spec;
        this.mounts = mounts;
    }

    /**
     * Reads it.
     *
     * @param bundle the directory that has it
     * @throws CloneException if it can't be read, or a copy of that can't be made; with the way out
     */
    public static ContainerSpec read(Path bundle) throws CloneException {
        Path file = bundle.resolve("config.json");
        try (InputStream in = Files.newInputStream(file)) {
            byte[] bytes = in.readNBytes(LARGEST + 1);
            if (bytes.length > LARGEST) {
                throw new CloneException(file + ": more than " + (LARGEST >> 20) + " MiB (expected: less)");
            }
            if (!(new ObjectMapper().readTree(bytes) instanceof ObjectNode spec)
                    || !spec.path("process").isObject()
                    || !spec.path("root").isObject()
                    || !spec.path("linux").isObject()) {
                throw new CloneException(file + ": no process, root or linux (expected: a container's specification)");
            }
            requireForm(file, spec);
            return new ContainerSpec(spec, mounts(file, spec.path("mounts")));
        } catch (JsonProcessingException damaged) {
            throw new CloneException(file + ": no JSON (expected: a container's specification)", damaged);
        } catch (IOException unreadable) {
            throw new CloneException(file + ": can't be read; run this as root", unreadable);
        }
    }

    /** What is changed in a copy of it must be what it is meant to be. */
    private static void requireForm(Path file, ObjectNode spec) throws CloneException {
        JsonNode linux = spec.path("linux");
        boolean isFine = Stream.of(linux.path("resources"), linux.at("/resources/cpu"), linux.at("/resources/memory"))
                .allMatch(node -> node.isMissingNode() || node.isObject());
        for (JsonNode each : spec.path("mounts")) {
            JsonNode options = each.path("options");
            isFine &= each.isObject() && (options.isMissingNode() || options.isArray());
        }
        for (JsonNode each : linux.path("namespaces")) {
            isFine &= each.isObject();
        }
        if (!isFine) {
            throw new CloneException(file + ": mounts, namespaces or resources of another form (expected: those of the"
                    + " OCI runtime specification)");
        }
    }

    private static List<SpecMount> mounts(Path file, JsonNode all) throws CloneException {
        if (all.size() > MOST_MOUNTS) {
            throw new CloneException(file + ": " + all.size() + " mounts (expected: at most " + MOST_MOUNTS + ")");
        }
        List<SpecMount> mounts = new ArrayList<>();
        for (int n = 0; n < all.size(); n++) {
            JsonNode mount = all.path(n);
            String destination = mount.path("destination").asText();
            if (isBind(mount)) {
                mounts.add(bind(n, mount.path("source").asText(), destination));
            } else if (!KERNELS_OWN.contains(mount.path("type").asText())) {
                throw new CloneException(destination + ": a mount of type "
                        + mount.path("type").asText()
                        + ", which a copy would share with production (expected: a volume or a directory)");
            }
        }
        return List.copyOf(mounts);
    }

    private static boolean isBind(JsonNode mount) {
        return mount.path("type").asText().equals("bind")
                || Stream.of("bind", "rbind").anyMatch(option -> hasOption(mount, option));
    }

    private static boolean hasOption(JsonNode mount, String name) {
        for (JsonNode option : mount.path("options")) {
            if (option.asText().equals(name)) {
                return true;
            }
        }
        return false;
    }

    private static SpecMount bind(int number, String source, String destination) throws CloneException {
        if (Stream.of(source, destination)
                .anyMatch(path -> !path.startsWith("/") || path.chars().anyMatch(c -> c < ' ' || c == 0x7f))) {
            throw new CloneException(destination.replaceAll("\\p{Cntrl}", "?") + ": an odd path of a volume");
        }
        try {
            Path path = Path.of(source);
            return new SpecMount(number, path, destination, way(path));
        } catch (InvalidPathException odd) {
            throw new CloneException(destination + ": an odd path of a volume", odd);
        }
    }

    private static Way way(Path source) throws CloneException {
        if (Stream.of("/proc", "/sys", "/dev").anyMatch(source::startsWith) && !source.startsWith("/dev/shm")) {
            return Way.READ_ONLY;
        }
        if (Files.isDirectory(source)) {
            // characters that separate an overlay's options
            if (source.toString().matches(".*[:,\\\\\"].*")) {
                throw new CloneException(source + ": a volume with such a name can't be covered (expected: none of : ,"
                        + " \\ \"); rename it");
            }
            return Way.OVERLAY;
        }
        if (!Files.isRegularFile(source)) {
            return Way.EMPTY;
        }
        try {
            return Files.size(source) > LARGEST_FILE ? Way.READ_ONLY : Way.COPY;
        } catch (IOException gone) {
            return Way.EMPTY;
        }
    }

    /** What a person should know of the copy, a sentence each. */
    public List<String> limits() {
        List<String> limits = new ArrayList<>();
        for (SpecMount mount : mounts) {
            switch (mount.way()) {
                case EMPTY ->
                    limits.add(mount.destination() + " is an empty file in the copy: it is a socket or a device");
                case READ_ONLY -> limits.add(mount.destination() + " is this machine's own in the copy, for reading");
                case OVERLAY, COPY -> {}
            }
        }
        return limits;
    }

    /** Where a terminal is; the copy has none. */
    public boolean hasTerminal() {
        return spec.path("process").path("terminal").asBoolean();
    }

    /** The namespaces that it shares with another container or with this machine, its network left aside. */
    public List<String> sharedNamespaces() {
        List<String> shared = new ArrayList<>(NAMESPACES);
        for (JsonNode namespace : spec.path("linux").path("namespaces")) {
            if (namespace.path("path").asText().isEmpty()) {
                shared.remove(namespace.path("type").asText());
            }
        }
        return shared;
    }

    /** Whether its users are other ones on this machine. */
    public boolean hasOwnUsers() {
        return !spec.path("linux").path("uidMappings").isEmpty();
    }

    /** Its command line, program first. */
    public List<String> words() {
        return texts(spec.path("process").path("args"));
    }

    /** Its environment, each {@code NAME=VALUE}. */
    public List<String> environment() {
        return texts(spec.path("process").path("env"));
    }

    private static List<String> texts(JsonNode array) {
        List<String> texts = new ArrayList<>();
        array.forEach(text -> texts.add(text.asText()));
        return texts;
    }

    /** The mounts of the kernel's own in it, such as its {@code /dev/shm}: a snapshot holds what is in them. */
    public List<String> ownMounts() {
        List<String> own = new ArrayList<>();
        for (JsonNode mount : spec.path("mounts")) {
            if (!isBind(mount)) {
                own.add(mount.path("destination").asText());
            }
        }
        return own;
    }

    /** The destinations of its volumes. */
    public List<String> volumes() {
        return mounts.stream().map(SpecMount::destination).toList();
    }

    /** The paths that are hidden in it. */
    public List<String> maskedPaths() {
        return texts(spec.path("linux").path("maskedPaths"));
    }

    /** For {@code container.sh}: number, way, destination and source of each mount, a line each. */
    public List<String> mountLines() {
        return mounts.stream()
                .filter(mount -> mount.way() != Way.READ_ONLY)
                .map(mount -> mount.number() + "\t" + mount.way() + "\t" + mount.destination() + "\t" + mount.source())
                .toList();
    }

    /**
     * The specification of a copy.
     *
     * @param box the directory in which {@code container.sh} has root directory and mounts
     * @param network the file of its network
     * @param group its control group
     * @param words its command line
     * @param environment its environment
     * @param memory its limit if production has none, in bytes
     */
    public byte[] copy(Path box, Path network, String group, List<String> words, List<String> environment, long memory)
            throws JsonProcessingException {
        ObjectNode copy = spec.deepCopy();
        copy.remove(List.of("hooks", "annotations"));
        ((ObjectNode) copy.path("root")).put("path", box.resolve("root").toString());
        ObjectNode process = (ObjectNode) copy.path("process");
        process.remove("consoleSize");
        process.put("terminal", false).put("oomScoreAdj", 500);
        fill(process.putArray("args"), words);
        fill(process.putArray("env"), environment);
        for (SpecMount mount : mounts) {
            ObjectNode entry = (ObjectNode) copy.path("mounts").path(mount.number());
            if (mount.way() == Way.READ_ONLY) {
                entry.withArray("options").add("ro");
            } else {
                entry.put("source", box.resolve("mount" + mount.number()).toString());
            }
        }
        ObjectNode linux = (ObjectNode) copy.path("linux");
        linux.remove("intelRdt");
        linux.put("cgroupsPath", group);
        namespaces(linux, network);
        resources(linux, memory);
        return new ObjectMapper().writeValueAsBytes(copy);
    }

    private static void fill(ArrayNode array, List<String> texts) {
        texts.forEach(array::add);
    }

    private static void namespaces(ObjectNode linux, Path network) {
        List<ObjectNode> others = new ArrayList<>();
        for (JsonNode namespace : linux.path("namespaces")) {
            String type = namespace.path("type").asText();
            if (!type.equals("network") && !NAMESPACES.contains(type)) {
                others.add((ObjectNode) namespace);
            }
        }
        ArrayNode all = linux.putArray("namespaces");
        NAMESPACES.forEach(type -> all.addObject().put("type", type));
        all.addObject().put("type", "network").put("path", network.toString());
        others.forEach(all::add);
    }

    private static void resources(ObjectNode linux, long memory) {
        ObjectNode resources = linux.withObject("/resources");
        // of 1024, which is production's unless somebody chose another
        resources.withObject("/cpu").put("shares", 256);
        ObjectNode limit = resources.withObject("/memory");
        if (limit.path("limit").asLong() <= 0) {
            limit.put("limit", memory);
        }
    }
}
