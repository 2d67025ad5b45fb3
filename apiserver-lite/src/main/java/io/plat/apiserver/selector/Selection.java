package io.plat.apiserver.selector;

import io.plat.apiserver.schema.FieldErrorMessages;
import io.plat.apiserver.storage.Entry;
import io.plat.apiserver.storage.Key;
import io.plat.apiserver.storage.KeyRange;
import io.plat.apiserver.stored.StoredFields;
import io.plat.apiserver.type.ApiErrors;
import io.plat.apiserver.type.ResourceType;
import io.plat.apiserver.type.Target;
import io.plat.apiserver.type.TypeTraits;
import io.plat.review.request.RequestInfoParser;
import io.plat.review.status.StatusException;

/** Selection of objects in a collection, by both a label selector and a field selector. */
public record Selection(LabelSelector labels, FieldSelector fields) {
    /** Maximum length of a selector in a query, in characters: it is parsed before authorization. */
    private static final int MAX_LENGTH = RequestInfoParser.MAX_SELECTOR_LENGTH;

    /**
     * Parses two selectors, {@code ""} for none.
     *
     * @throws StatusException 400 for a malformed or too long one, or an unsupported field
     */
    public static Selection parse(ResourceType type, String labelSelector, String fieldSelector)
            throws StatusException {
        if (Math.max(labelSelector.length(), fieldSelector.length()) > MAX_LENGTH) {
            throw ApiErrors.badRequest("a selector is longer than " + MAX_LENGTH + " characters");
        }
        return new Selection(
                LabelSelector.parse(labelSelector),
                FieldSelector.parse(type, fieldSelector, TypeTraits.selectableFields(type)));
    }

    public boolean all() {
        return labels.all() && fields.all();
    }

    /** Returns whether it matches an object. Reads only the fields that the selectors name. */
    public boolean matches(Entry entry) {
        return (labels.all() || labels.matches(StoredFields.labels(entry.value()))) && fields.matches(entry);
    }

    /** Returns the maximum number of bytes that have to be read to match an object. */
    public int cost(Entry entry) {
        return labels.all() && !fields.readsValue() ? 0 : entry.value().length;
    }

    /**
     * Returns the range of keys that contains all selected objects.
     *
     * @throws StatusException 400 for an invalid name
     */
    public KeyRange range(Target collection) throws StatusException {
        ResourceType type = collection.type();
        String name = collection.name().isEmpty() ? fields.name() : collection.name();
        String namespace =
                collection.namespace().isEmpty() && type.namespaced() ? fields.namespace() : collection.namespace();
        boolean one = !name.isEmpty() && type.namespaced() == !namespace.isEmpty();
        if ((one && !Key.isPart(name)) || (!namespace.isEmpty() && !Key.isPart(namespace))) {
            throw ApiErrors.badRequest("not a name: " + FieldErrorMessages.quoted(name));
        }
        return one ? KeyRange.of(new Key(type.storage(), namespace, name)) : KeyRange.of(type.storage(), namespace);
    }
}
