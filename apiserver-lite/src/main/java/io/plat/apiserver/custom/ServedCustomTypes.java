package io.plat.apiserver.custom;

import com.google.re2j.Matcher;
import com.google.re2j.Pattern;
import io.plat.apiserver.type.DynamicTypes;
import io.plat.apiserver.type.ResourceType;
import io.plat.engine.lookup.Frozen;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** Snapshot of the served custom types, indexed for discovery. Immutable. */
public final class ServedCustomTypes implements DynamicTypes.State {
    static final Comparator<String> PREFERRED_FIRST = Comparator.comparing(
            ServedCustomTypes::rank,
            Comparator.comparingInt(Rank::stage)
                    .thenComparingLong(Rank::major)
                    .thenComparingLong(Rank::minor)
                    .thenComparing(Rank::name));

    private static final Pattern KNOWN = Pattern.compile("v([0-9]{1,18})(?:(alpha|beta)([0-9]{1,18}))?");
    static final ServedCustomTypes NONE = new ServedCustomTypes(Map.of(), null);

    private final Map<String, CustomResourceDefinition> definitions;
    private final Map<String, Map<String, List<ResourceType>>> byGroup;
    private final List<ResourceType> stored;

    private ServedCustomTypes(Map<String, CustomResourceDefinition> definitions, @Nullable ServedCustomTypes before) {
        this.definitions = Frozen.copyOf(definitions);
        this.byGroup = group(definitions, before);
        this.stored = definitions.values().stream()
                .filter(definition -> !definition.collides())
                .map(CustomResourceDefinition::stored)
                .toList();
    }

    /** Returns the snapshot for these definitions; unchanged group versions keep their lists. */
    ServedCustomTypes with(Map<String, CustomResourceDefinition> now) {
        return new ServedCustomTypes(now, this);
    }

    private static Map<String, Map<String, List<ResourceType>>> group(
            Map<String, CustomResourceDefinition> definitions, @Nullable ServedCustomTypes before) {
        Map<String, Map<String, List<ResourceType>>> types = new TreeMap<>();
        for (CustomResourceDefinition definition : new TreeMap<>(definitions).values()) {
            if (definition.serves()) {
                for (ResourceType type : definition.served()) {
                    types.computeIfAbsent(definition.group(), group -> new TreeMap<>(PREFERRED_FIRST))
                            .computeIfAbsent(type.version(), any -> new ArrayList<>())
                            .add(type);
                }
            }
        }
        types.forEach(
                (group, versions) -> versions.replaceAll((version, found) -> kept(found, group, version, before)));
        return new LinkedHashMap<>(types);
    }

    private static List<ResourceType> kept(
            List<ResourceType> found, String group, String version, @Nullable ServedCustomTypes before) {
        List<ResourceType> last = before == null ? List.of() : before.types(group, version);
        return last.equals(found) ? last : List.copyOf(found);
    }

    Optional<CustomResourceDefinition> definition(String name) {
        return Optional.ofNullable(definitions.get(name));
    }

    /** Returns the number of definitions in groups of built-in types. */
    public long collisions() {
        return definitions.values().stream()
                .filter(CustomResourceDefinition::collides)
                .count();
    }

    /** Returns the definitions whose objects cannot be written, as a rule or a pattern does not compile. */
    public List<String> uncompilable() {
        return definitions.values().stream()
                .filter(definition -> !Objects.requireNonNullElse(
                                definition.storedForm().problem(), "")
                        .isEmpty())
                .map(CustomResourceDefinition::name)
                .sorted()
                .toList();
    }

    Map<String, CustomResourceDefinition> definitions() {
        return definitions;
    }

    @Override
    public Optional<ResourceType> find(String group, String version, String resource) {
        // A resource may contain dots: the name alone does not show where the group begins.
        return definition(resource + "." + group)
                .filter(definition -> definition.serves() && definition.group().equals(group))
                .flatMap(definition -> definition.type(version));
    }

    @Override
    public boolean isCurrent(ResourceType type) {
        return !(type.form() instanceof CustomType form)
                || find(type.group(), type.version(), type.resource())
                        .filter(now -> now.kind().equals(type.kind()) && form.isSameDefinition(now.form()))
                        .isPresent();
    }

    @Override
    public List<String> groups() {
        return List.copyOf(byGroup.keySet());
    }

    @Override
    public List<String> versions(String group) {
        return List.copyOf(byGroup.getOrDefault(group, Map.of()).keySet());
    }

    @Override
    public List<ResourceType> types(String group, String version) {
        return byGroup.getOrDefault(group, Map.of()).getOrDefault(version, List.of());
    }

    @Override
    public List<ResourceType> stored() {
        return stored;
    }

    private static Rank rank(String version) {
        Matcher matcher = KNOWN.matcher(version);
        if (!matcher.matches()) {
            return new Rank(3, 0, 0, version);
        }
        String stage = matcher.group(2);
        int order = stage == null ? 0 : stage.equals("beta") ? 1 : 2;
        long minor = stage == null ? 0 : Long.parseLong(matcher.group(3));
        return new Rank(order, -Long.parseLong(matcher.group(1)), -minor, version);
    }

    private record Rank(int stage, long major, long minor, String name) {}
}
