package dev.understudy.kubernetes.inject;

import dev.understudy.kubernetes.manifest.ManifestException;
import dev.understudy.kubernetes.manifest.ManifestFields;
import dev.understudy.kubernetes.manifest.YamlTree;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Leads a container's calls to the aggregator: by its variables, its command and its arguments. */
final class ContainerVariables {
    private final UpstreamAddresses addresses;
    private final Map<String, String> set;

    /**
     * Makes one.
     *
     * @param set variables that are set whatever the container says, with place-holders
     */
    ContainerVariables(UpstreamAddresses addresses, Map<String, String> set) {
        this.addresses = addresses;
        this.set = set;
    }

    /**
     * Changes a container in place.
     *
     * @throws ManifestException if a place-holder is of no upstream
     */
    void applyTo(Map<String, Object> container) throws ManifestException {
        List<Object> env = new ArrayList<>();
        Map<String, String> added = new LinkedHashMap<>(set);
        for (Object one : ManifestFields.list(container, "env")) {
            Map<String, Object> variable = ManifestFields.asMap(one, "env");
            String name = ManifestFields.text(variable, "name");
            String value = added.remove(name);
            env.add(value != null ? variable(name, addresses.fill(value)) : rewritten(variable));
        }
        for (Map.Entry<String, String> variable : added.entrySet()) {
            env.add(variable(variable.getKey(), addresses.fill(variable.getValue())));
        }
        if (!env.isEmpty()) {
            container.put("env", env);
        }
        rewriteList(container, "command");
        rewriteList(container, "args");
    }

    /** The upstreams that the container names nowhere. */
    List<UpstreamSpec> missed() {
        return addresses.missed();
    }

    static Map<String, Object> variable(String name, Object value) {
        Map<String, Object> variable = new LinkedHashMap<>();
        variable.put("name", name);
        variable.put("value", value);
        return variable;
    }

    private Map<String, Object> rewritten(Map<String, Object> variable) {
        Object value = variable.get("value");
        if (value != null) {
            variable.put("value", rewritten(value));
        }
        return variable;
    }

    private void rewriteList(Map<String, Object> container, String key) throws ManifestException {
        List<Object> words = new ArrayList<>();
        for (Object word : ManifestFields.list(container, key)) {
            words.add(rewritten(word));
        }
        if (!words.isEmpty()) {
            container.put(key, words);
        }
    }

    /** What isn't changed stays as it was written. */
    private Object rewritten(Object scalar) {
        String text = YamlTree.text(scalar);
        String changed = addresses.rewrite(text);
        return changed.equals(text) ? scalar : changed;
    }
}
