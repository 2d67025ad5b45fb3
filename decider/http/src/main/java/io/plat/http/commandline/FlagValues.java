package io.plat.http.commandline;

import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** The values of all flags of a command line. */
public final class FlagValues {
    private final Map<Flag<?>, Object> values;
    private final Set<Flag<?>> present;

    FlagValues(Map<Flag<?>, Object> values, Set<Flag<?>> present) {
        this.values = Map.copyOf(values);
        this.present = Set.copyOf(present);
    }

    /**
     * Returns the value of a flag: as given, or its default.
     *
     * @throws IllegalStateException inside a check, if the flag is missing or its value is invalid
     */
    public <T> T get(Flag<T> flag) {
        return find(flag).orElseThrow(() -> new IllegalStateException(flag.dashed() + " has no valid value"));
    }

    /** Returns the value of a flag, for checks: empty if it is missing or invalid. */
    @SuppressWarnings("unchecked")
    public <T> Optional<T> find(Flag<T> flag) {
        @Nullable Object value = values.get(flag);
        return value == null ? Optional.empty() : Optional.of((T) value);
    }

    /** Returns the value of an optional flag, for checks: empty if it is missing or invalid. */
    public <T> Optional<T> findOptional(Flag<Optional<T>> flag) {
        return find(flag).flatMap(value -> value);
    }

    /** Returns whether the flag is on the command line, with any value. */
    public boolean isSet(Flag<?> flag) {
        return present.contains(flag);
    }

    /** Returns a problem prefixed with the flag of the file or directory with which it starts, if any. */
    public String withFlag(String problem) {
        return present.stream()
                .filter(flag -> paths(values.get(flag))
                        .anyMatch(path -> problem.startsWith(path + ":") || problem.startsWith(path + "/")))
                .map(flag -> flag.dashed() + ": " + problem)
                .min(Comparator.naturalOrder())
                .orElse(problem);
    }

    private static Stream<String> paths(@Nullable Object value) {
        return switch (value) {
            case Path path -> Stream.of(path.toString());
            case Optional<?> one -> one.stream().flatMap(FlagValues::paths);
            case List<?> several -> several.stream().flatMap(FlagValues::paths);
            case null, default -> Stream.empty();
        };
    }
}
