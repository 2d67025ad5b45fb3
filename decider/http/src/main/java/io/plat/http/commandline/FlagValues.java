package io.plat.http.commandline;

import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** The values of all flags of a command line. */
public final class FlagValues {
    private final Map<Flag<?>, Object> values;
    private final Set<Flag<?>> given;

    FlagValues(Map<Flag<?>, Object> values, Set<Flag<?>> given) {
        this.values = Map.copyOf(values);
        this.given = Set.copyOf(given);
    }

    /**
     * Returns the value of a flag: as given, or its default.
     *
     * @throws IllegalStateException inside a check, if the flag is missing or its value is invalid
     */
    public <T> T get(Flag<T> flag) {
        return find(flag).orElseThrow(() -> new IllegalStateException(flag.dashed() + " has no valid value"));
    }

    /** The value of a flag; for checks: empty where it is missing or its value has the wrong form. */
    @SuppressWarnings("unchecked")
    public <T> Optional<T> find(Flag<T> flag) {
        @Nullable Object value = values.get(flag);
        return value == null ? Optional.empty() : Optional.of((T) value);
    }

    /** Returns whether the flag is on the command line, with any value. */
    public boolean given(Flag<?> flag) {
        return given.contains(flag);
    }
}
