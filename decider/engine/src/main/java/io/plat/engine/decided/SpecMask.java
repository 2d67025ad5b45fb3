package io.plat.engine.decided;

import io.plat.engine.Grant;
import io.plat.engine.decided.SpecField.Name;
import io.plat.review.AccessAttributes;
import io.plat.review.Attributes;
import io.plat.review.NonResourceAttributes;
import io.plat.review.ResourceAttributes;
import io.plat.review.SelectorAttributes;
import io.plat.review.UserInfo;
import java.util.Arrays;
import java.util.Collections;
import java.util.EnumSet;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Replacement of the values of some fields of a spec by a fixed mark, which reveals only that there were any. Another field that repeats such a
 * value, as the selector {@code metadata.name=NAME} does, is masked too. Reasons are not searched: a reason is written without its variable parts,
 * and one of another program is masked as a whole.
 */
public final class SpecMask {
    /** Replacement for a value, or for all values of a list. */
    static final String MARK = "(masked)";

    private static final List<String> MARKS = List.of(MARK);

    /** Separators of names within paths, selectors and names of users. */
    private static final Pattern SEPARATORS = Pattern.compile("[:/=,!()\\s\"']+");

    /** Fields whose values a selector may repeat. */
    private static final Set<Name> REPEATED = EnumSet.of(Name.USER, Name.NAME, Name.NAMESPACE);

    /** Constant reasons of the built-in modes for refusals and failures. */
    private static final Set<String> FIXED = Set.of(
            "no RBAC policy matched",
            "No policy matched.",
            "Everything is forbidden.",
            "authorization data is not current (component=roles)",
            "RBAC: authorization data is not current (component=roles)",
            "the policy has not been loaded yet",
            "the request could not be decided");

    private final Set<Name> whole;
    private final Set<String> extraKeys;

    public SpecMask(Set<SpecField> fields) {
        whole = fields.stream()
                .filter(field -> field.key().isEmpty())
                .map(SpecField::name)
                .collect(Collectors.toSet());
        extraKeys = fields.stream()
                .map(SpecField::key)
                .filter(key -> !key.isEmpty())
                .collect(Collectors.toSet());
    }

    /**
     * A request after masking.
     *
     * @param shown the request without the masked values
     * @param hidden the masked values
     * @param masks whether any field is masked
     */
    record Masked(Attributes shown, Set<String> hidden, boolean masks) {
        String reason(Grant grant) {
            String bare = masks ? grant.maskedReason() : grant.reason();
            return bare.isEmpty() && masks ? MARK : bare;
        }

        /** Returns the reason of a refusal or a failure if it is one of the constant reasons of the built-in modes. */
        String text(String text) {
            return !masks || text.isEmpty() || FIXED.containsAll(Arrays.asList(text.split("; ", -1))) ? text : MARK;
        }

        /** Returns a name, or the mark if it is a masked value. */
        String name(String name) {
            return hidden.contains(name) ? MARK : name;
        }
    }

    /** Masked values of a request. Lists, which may be long, are in a set; single values are also found inside texts. */
    private static final class Hidden {
        /** Minimum length of a value that is searched for within texts. */
        private static final int DISTINCT = 3;

        private final Set<String> values = new HashSet<>();
        private final Set<String> single = new HashSet<>();

        void add(String value) {
            values.add(value);
            if (value.length() >= DISTINCT) {
                single.add(value);
            }
            if (value.startsWith(UserInfo.SERVICE_ACCOUNT_USER)) {
                String[] parts =
                        value.substring(UserInfo.SERVICE_ACCOUNT_USER.length()).split(":", -1);
                values.addAll(List.of(parts));
            }
        }

        /** Returns whether a text is or contains a masked value, as {@code system:serviceaccount:NAMESPACE:NAME} may. */
        boolean isIn(String text) {
            return single.stream().anyMatch(text::contains)
                    || Stream.concat(Stream.of(text), SEPARATORS.splitAsStream(text))
                            .anyMatch(part -> !part.isEmpty() && values.contains(part));
        }

        String mark(String text) {
            return isIn(text) ? MARK : text;
        }
    }

    Masked apply(Attributes request) {
        if (whole.isEmpty() && extraKeys.isEmpty()) {
            return new Masked(request, Set.of(), false);
        }
        Hidden hidden = new Hidden();
        // The first pass collects the masked values, the second one masks all repetitions.
        masked(request, hidden);
        Attributes shown = masked(request, hidden);
        hidden.values.remove("");
        return new Masked(shown, hidden.values, true);
    }

    private Attributes masked(Attributes request, Hidden hidden) {
        return new Attributes(user(request.user(), hidden), access(request.access(), hidden));
    }

    private UserInfo user(UserInfo user, Hidden hidden) {
        return new UserInfo(
                text(Name.USER, user.name(), hidden),
                text(Name.UID, user.uid(), hidden),
                texts(whole.contains(Name.GROUPS), user.groups(), hidden),
                extra(user.extra(), hidden));
    }

    private Map<String, List<String>> extra(Map<String, List<String>> extra, Hidden hidden) {
        Map<String, List<String>> shown = new LinkedHashMap<>();
        boolean all = whole.contains(Name.EXTRA);
        extra.forEach(
                (key, values) -> shown.put(hidden.mark(key), texts(all || extraKeys.contains(key), values, hidden)));
        return shown;
    }

    private AccessAttributes access(AccessAttributes access, Hidden hidden) {
        return switch (access) {
            case ResourceAttributes resource ->
                new ResourceAttributes(
                        text(Name.NAMESPACE, resource.namespace(), hidden),
                        resource.verb(),
                        resource.group(),
                        resource.version(),
                        resource.resource(),
                        resource.subresource(),
                        text(Name.NAME, resource.name(), hidden),
                        selector(Name.FIELD_SELECTOR, resource.fieldSelector(), hidden),
                        selector(Name.LABEL_SELECTOR, resource.labelSelector(), hidden));
            case NonResourceAttributes path ->
                new NonResourceAttributes(text(Name.PATH, path.path(), hidden), path.verb());
        };
    }

    /** Masks a selector as a whole if it or a name is masked: a name can be written in many ways there. */
    private @Nullable SelectorAttributes selector(Name name, @Nullable SelectorAttributes selector, Hidden hidden) {
        if (selector == null) {
            return null;
        }
        if (whole.contains(name)) {
            hidden.values.add(selector.rawSelector());
            selector.requirements().forEach(requirement -> hidden.values.addAll(requirement.values()));
        } else if (Collections.disjoint(whole, REPEATED)
                && !hidden.isIn(selector.rawSelector())
                && selector.requirements().stream()
                        .flatMap(requirement -> requirement.values().stream())
                        .noneMatch(hidden::isIn)) {
            return selector;
        }
        return new SelectorAttributes(MARK, List.of());
    }

    private String text(Name name, String value, Hidden hidden) {
        if (value.isEmpty() || !whole.contains(name)) {
            return hidden.mark(value);
        }
        hidden.add(value);
        return MARK;
    }

    private static List<String> texts(boolean masked, List<String> values, Hidden hidden) {
        if (masked) {
            hidden.values.addAll(values);
            return values.isEmpty() ? values : MARKS;
        }
        return values.stream().map(hidden::mark).toList();
    }
}
