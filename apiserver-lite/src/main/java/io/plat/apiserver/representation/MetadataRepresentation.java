package io.plat.apiserver.representation;

import io.plat.apiserver.representation.binary.TypeMeta;
import io.plat.apiserver.stored.ServedList;
import io.plat.apiserver.stored.ServedObject;
import io.plat.apiserver.type.ResourceType;
import io.plat.review.status.StatusException;
import io.plat.review.status.StatusReason;
import java.io.IOException;
import java.io.OutputStream;

/** Metadata-only representation of objects ({@code PartialObjectMetadata}), used by caches of many types. */
final class MetadataRepresentation extends TransformedRepresentation {
    static final String KIND = "PartialObjectMetadata";
    static final String LIST_KIND = "PartialObjectMetadataList";

    private final TypeMeta one;
    private final TypeMeta many;
    private final boolean ofLists;

    /**
     * @param apiVersion apiVersion of the metadata kind
     * @param ofLists whether lists are requested; single objects are then not acceptable
     */
    MetadataRepresentation(Representation format, String apiVersion, boolean ofLists) {
        super(format);
        this.one = new TypeMeta(apiVersion, KIND);
        this.many = new TypeMeta(apiVersion, LIST_KIND);
        this.ofLists = ofLists;
    }

    @Override
    public byte[] object(ServedObject object) throws StatusException {
        if (ofLists) {
            throw notAcceptable("you requested " + LIST_KIND + ", but the requested object is not a list ("
                    + internal(object.type(), "") + ")");
        }
        return document(one, ((Body) out -> write(one, object, out)).bytes());
    }

    @Override
    public Body list(ServedList list) throws StatusException {
        if (!ofLists) {
            throw notAcceptable("you requested " + KIND + ", but the requested object is a list ("
                    + internal(list.type(), "List") + ")");
        }
        return document(many, out -> write(list, out), list.isLarge());
    }

    private void write(ServedList list, OutputStream json) throws IOException {
        JsonList.append(
                json, "{\"kind\":\"" + LIST_KIND + "\",\"apiVersion\":\"" + many.apiVersion() + "\",\"metadata\":");
        JsonList.append(json, JsonList.metadata(list) + ",\"items\":");
        if (list.items().isEmpty()) {
            JsonList.append(json, "null}");
            return;
        }
        String separator = "[";
        for (ServedObject object : list.items()) {
            JsonList.append(json, separator);
            write(one, object, json);
            separator = ",";
        }
        JsonList.append(json, "]}");
    }

    static void write(TypeMeta type, ServedObject object, OutputStream json) throws IOException {
        JsonList.append(json, "{\"kind\":\"" + KIND + "\",\"apiVersion\":\"" + type.apiVersion() + "\",\"metadata\":");
        object.writeMetadata(json);
        json.write('}');
    }

    @Override
    byte[] bookmark(ResourceType type, String metadata) throws StatusException {
        return document(one, onlyMetadata(one, metadata));
    }

    private static StatusException notAcceptable(String message) {
        return new StatusException(StatusReason.NOT_ACCEPTABLE, message);
    }

    /** Returns the internal name of a type or its list in kube-apiserver's messages. */
    private static String internal(ResourceType type, String suffix) {
        if (type.isCustom()) {
            return "*unstructured.Unstructured" + suffix;
        }
        String group = type.group().isEmpty() ? "core" : type.group().split("\\.", -1)[0];
        return "*" + group + "." + type.kind() + suffix;
    }
}
