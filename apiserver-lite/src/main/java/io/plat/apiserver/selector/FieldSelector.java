package io.plat.apiserver.selector;

import io.plat.apiserver.schema.FieldErrorMessages;
import io.plat.apiserver.storage.Entry;
import io.plat.apiserver.stored.StoredFields;
import io.plat.apiserver.type.ApiErrors;
import io.plat.apiserver.type.ResourceType;
import io.plat.apiserver.type.TypeTraits;
import io.plat.review.request.FieldTerm;
import io.plat.review.status.StatusException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Set;

/** Field selector: {@code metadata.name=x,status.phase!=y}. */
public record FieldSelector(List<Term> terms) {
    private static final String NAME = "metadata.name";
    private static final String NAMESPACE = "metadata.namespace";

    /**
     * Comparison with a value. The field is at the first of several paths in stored objects that is not empty; a path after {@code =} is a
     * constant.
     */
    private record Term(String field, List<List<String>> paths, String value, boolean equal) {
        boolean matches(Entry entry) {
            String actual = switch (field) {
                case NAME -> entry.key().name();
                case NAMESPACE -> entry.key().namespace();
                default -> actual(entry);
            };
            return actual.equals(value) == equal;
        }

        private String actual(Entry entry) {
            for (List<String> path : paths) {
                String first = path.getFirst();
                String text = first.startsWith("=") ? first.substring(1) : StoredFields.text(entry.value(), path);
                if (!text.isEmpty()) {
                    return text;
                }
            }
            return "";
        }
    }

    public boolean all() {
        return terms.isEmpty();
    }

    boolean matches(Entry entry) {
        for (Term term : terms) {
            if (!term.matches(entry)) {
                return false;
            }
        }
        return true;
    }

    /** Returns whether it names fields that are not part of the key. */
    boolean readsValue() {
        return terms.stream()
                .anyMatch(term -> !term.field().equals(NAME) && !term.field().equals(NAMESPACE));
    }

    /** Returns the only selected name, or {@code ""} if there may be several. */
    public String name() {
        return only(NAME);
    }

    /** Returns the only selected namespace, or {@code ""} if there may be several. */
    String namespace() {
        return only(NAMESPACE);
    }

    private String only(String field) {
        return terms.stream()
                .filter(term -> term.equal() && term.field().equals(field))
                .map(Term::value)
                .findFirst()
                .orElse("");
    }

    /**
     * Parses a selector.
     *
     * @param more fields that the type supports in addition to name and namespace
     * @throws StatusException 400 if it is malformed or names an unsupported field
     */
    public static FieldSelector parse(ResourceType type, String text, Set<String> more) throws StatusException {
        var terms = new ArrayList<Term>();
        for (FieldTerm term : FieldTerm.parse(text)) {
            terms.add(term(type, term));
        }
        terms.removeIf(
                term -> term.equal() && term.field().isEmpty() && term.value().isEmpty());
        for (Term term : terms) {
            boolean namespace = term.field().equals(NAMESPACE) && (type.namespaced() || more.isEmpty());
            if (!term.field().equals(NAME) && !namespace && !more.contains(term.field())) {
                throw unknown(type, term.field(), more.isEmpty() && !type.isCustom());
            }
        }
        return new FieldSelector(List.copyOf(terms));
    }

    private static StatusException unknown(ResourceType type, String field, boolean common) {
        return ApiErrors.badRequest(
                common
                        ? FieldErrorMessages.quoted(field) + " is not a known field selector: only \"" + NAME + "\", \""
                                + NAMESPACE + "\""
                        : TypeTraits.of(type).unknownField().replace("${field}", field));
    }

    private static Term term(ResourceType type, FieldTerm term) {
        String field = term.field().strip();
        String paths = TypeTraits.of(type).paths().getOrDefault(field, field);
        return new Term(
                field,
                Arrays.stream(paths.split(" ", -1))
                        .map(path -> List.of(path.split("\\.", -1)))
                        .toList(),
                term.value(),
                term.equal());
    }
}
