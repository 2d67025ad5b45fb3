package io.plat.apiserver.metrics;

import io.plat.apiserver.resource.ResourceType;
import java.util.EnumMap;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicReferenceArray;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** The series of one type and its parts, each in a place of its own that is found without comparing labels. For any number of threads. */
final class TypeSeries {
    static final String[] SCOPES = {"cluster", "namespace", "resource"};
    static final String[] DRY_RUNS = {"", "All", "invalid"};

    private final ResourceType.Id type;
    private final Places whole = new Places();
    private final Map<String, Places> parts = new ConcurrentHashMap<>();

    /** A place for each verb, scope and kind of dry run. */
    private static final class Places {
        private final Map<RequestVerb, AtomicReferenceArray<@Nullable Series>> byVerb =
                new EnumMap<>(RequestVerb.class);

        Places() {
            for (RequestVerb verb : RequestVerb.values()) {
                byVerb.put(verb, new AtomicReferenceArray<>(SCOPES.length * DRY_RUNS.length));
            }
        }

        AtomicReferenceArray<@Nullable Series> of(RequestVerb verb) {
            return Objects.requireNonNull(byVerb.get(verb));
        }

        void each(Consumer<Series> action) {
            for (AtomicReferenceArray<@Nullable Series> places : byVerb.values()) {
                for (int i = 0; i < places.length(); i++) {
                    @Nullable Series series = places.get(i);
                    if (series != null) {
                        action.accept(series);
                    }
                }
            }
        }
    }

    TypeSeries(ResourceType.Id type) {
        this.type = type;
    }

    /**
     * Where the requests are counted that have all of this in common.
     *
     * @param part a part that is served, {@code ""} for the whole object
     * @param scope the place in {@link #SCOPES}
     * @param dryRun the place in {@link #DRY_RUNS}
     */
    Series of(String part, RequestVerb verb, int scope, int dryRun) {
        Places places = part.isEmpty() ? whole : parts.computeIfAbsent(part, name -> new Places());
        AtomicReferenceArray<@Nullable Series> ofVerb = places.of(verb);
        int place = scope * DRY_RUNS.length + dryRun;
        @Nullable Series known = ofVerb.get(place);
        if (known != null) {
            return known;
        }
        Series made = new Series(new Series.What(
                verb,
                type.group(),
                type.version(),
                type.resource(),
                part,
                SCOPES[scope],
                DRY_RUNS[dryRun],
                RequestMeters.COMPONENT));
        @Nullable Series earlier = ofVerb.compareAndExchange(place, null, made);
        return earlier == null ? made : earlier;
    }

    void each(Consumer<Series> action) {
        whole.each(action);
        parts.values().forEach(places -> places.each(action));
    }
}
