package io.plat.apiserver.representation;

import io.plat.apiserver.representation.binary.TypeMeta;
import io.plat.apiserver.resource.ResourceType;
import io.plat.apiserver.resource.ServedList;
import io.plat.apiserver.resource.ServedObject;
import io.plat.review.status.StatusException;

/** Objects as they are. */
final class ObjectForm extends Form {
    static final ObjectForm JSON = new ObjectForm(JsonEncoding.COMPACT);
    static final ObjectForm PRETTY_JSON = new ObjectForm(JsonEncoding.PRETTY);
    static final ObjectForm YAML = new ObjectForm(YamlEncoding.INSTANCE);
    static final ObjectForm BINARY = new ObjectForm(EnvelopeEncoding.PLATFORM);
    static final ObjectForm BINARY_OF_THE_FIELD = new ObjectForm(EnvelopeEncoding.OF_THE_FIELD);

    private ObjectForm(Encoding encoding) {
        super(encoding);
    }

    @Override
    public byte[] object(ServedObject object) throws StatusException {
        return encoding.object(object);
    }

    @Override
    public Body list(ServedList list) throws StatusException {
        return encoding.list(list);
    }

    @Override
    byte[] bookmark(ResourceType type, String metadata) throws StatusException {
        TypeMeta own = new TypeMeta(type.apiVersion(), type.kind());
        return encoding.encode(own, onlyMetadata(own, metadata));
    }
}
