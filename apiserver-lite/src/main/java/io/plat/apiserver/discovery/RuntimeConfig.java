package io.plat.apiserver.discovery;

import io.plat.apiserver.rules.Rules;
import io.plat.apiserver.tree.Json;
import io.plat.apiserver.type.ResourceCatalog;
import io.plat.apiserver.type.ResourceType;
import io.plat.engine.lookup.Frozen;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Selection of the served group versions ({@code --runtime-config}): those of the specification's own groups are off by default, those of
 * kube-apiserver are always on. A type whose objects have no effect on this server can be disabled individually.
 *
 * @param switches state of group versions, {@code GROUP/VERSION/RESOURCE} entries, and the collective names below {@code api/}
 */
public record RuntimeConfig(Map<String, Boolean> switches) {
    /** Default selection. */
    public static final RuntimeConfig DEFAULT = new RuntimeConfig(Map.of());

    private static final String GATED_SUFFIX = ".plat.io";
    private static final String ALL = "api/all";
    private static final Set<String> COLLECTIVE = Set.of(ALL, "api/ga", "api/beta", "api/alpha");

    public RuntimeConfig {
        switches = Frozen.copyOf(switches);
    }

    /**
     * Parses the flag: {@code name=true} or {@code name=false}, separated by commas; a name alone is true.
     *
     * @param text value of the flag; may be empty
     */
    public static RuntimeConfig parse(String text, List<String> problems) {
        Map<String, Boolean> switches = new LinkedHashMap<>();
        for (String item : text.split(",", -1)) {
            if (item.isBlank()) {
                continue;
            }
            int equals = item.indexOf('=');
            String name = (equals < 0 ? item : item.substring(0, equals)).strip();
            String value = equals < 0 ? "true" : item.substring(equals + 1).strip();
            switch (value) {
                case "true", "" -> switches.put(name, true);
                case "false" -> switches.put(name, false);
                default ->
                    problems.add("invalid entry \"" + item.strip()
                            + "\", expected GROUP/VERSION=true or GROUP/VERSION=false");
            }
        }
        return new RuntimeConfig(switches);
    }

    /** Returns one-line problems: entries that this server does not support. */
    public List<String> problems(ResourceCatalog catalog) {
        Set<String> known = ServedTypes.groupVersions(catalog);
        Map<String, ResourceType> types = new HashMap<>();
        catalog.types().forEach(type -> types.put(name(type), type));
        List<String> problems = new ArrayList<>();
        switches.forEach((name, on) -> {
            if (COLLECTIVE.contains(name)) {
                return;
            }
            @Nullable ResourceType type = types.get(name);
            if (type != null) {
                // Types without effect have a warning even about an empty object.
                if (!on && Rules.unenforced(type.storage(), Json::object).isEmpty()) {
                    problems.add("\"" + name + "\" cannot be disabled: only types without effect on this server can");
                }
            } else if (!known.contains(name)) {
                problems.add("\"" + name + "\" is unknown, expected a group version such as "
                        + "\"authorization.plat.io/v1beta1\", or \"api/all\"");
            } else if (!on && !gated(name)) {
                problems.add("\"" + name + "\" cannot be disabled: existing clients rely on it");
            }
        });
        return problems;
    }

    /** Returns whether a group version is served. A specific entry takes precedence over a collective one, {@code api/all} last. */
    public boolean serves(String groupVersion) {
        if (!gated(groupVersion)) {
            return true;
        }
        @Nullable Boolean named = switches.get(groupVersion);
        if (named == null) {
            named = switches.get(groupVersion.contains("alpha") ? "api/alpha" : "api/beta");
        }
        return named == null ? switches.getOrDefault(ALL, false) : named;
    }

    /** Returns whether a type is served: its group version is, and the type itself is not disabled. */
    boolean serves(ResourceType type) {
        return serves(type.apiVersion()) && switches.getOrDefault(name(type), true);
    }

    private static String name(ResourceType type) {
        return type.apiVersion() + "/" + type.resource();
    }

    private static boolean gated(String groupVersion) {
        int slash = groupVersion.indexOf('/');
        return slash > 0 && groupVersion.substring(0, slash).endsWith(GATED_SUFFIX);
    }
}
