package io.plat.apiserver.representation;

import io.plat.apiserver.representation.binary.TypeMeta;
import io.plat.apiserver.stored.ServedList;
import io.plat.apiserver.stored.ServedObject;
import io.plat.apiserver.type.ResourceType;
import io.plat.review.status.StatusException;
import java.util.Map;
import java.util.Objects;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Untransformed representation of objects. */
final class ObjectRepresentation extends Representation {
    static final ObjectRepresentation JSON = new ObjectRepresentation(JsonEncoding.COMPACT);

    /** One instance per encoding: streams of the same instance share their frames. */
    private static final Map<Encoding, ObjectRepresentation> FORMS = Stream.of(
                    JsonEncoding.PRETTY, YamlEncoding.INSTANCE, EnvelopeEncoding.PLATFORM, EnvelopeEncoding.KUBERNETES)
            .collect(Collectors.toMap(Function.identity(), ObjectRepresentation::new));

    static Representation of(Encoding encoding) {
        return encoding == JSON.encoding ? JSON : Objects.requireNonNull(FORMS.get(encoding));
    }

    private ObjectRepresentation(Encoding encoding) {
        super(encoding);
    }

    @Override
    public byte[] object(ServedObject object) throws StatusException {
        return encoding.object(object);
    }

    @Override
    public Body answer(ServedObject object) throws StatusException {
        return encoding.answer(object);
    }

    @Override
    public Body list(ServedList list) throws StatusException {
        return encoding.list(list);
    }

    @Override
    byte[] bookmark(ResourceType type, String metadata) throws StatusException {
        TypeMeta own = typeOf(type);
        return encoding.encode(own, onlyMetadata(own, metadata));
    }
}
