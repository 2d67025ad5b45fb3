package io.plat.engine.rbac.served;

import io.plat.engine.lookup.Interned;
import io.plat.engine.rbac.RbacKind;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Role objects in binary form. The numbers are those of Kubernetes' published messages: {@code RoleList} and its like, {@code ListMeta},
 * {@code WatchEvent}, {@code RawExtension}, {@code Status}.
 */
final class BinaryForm implements ServedForm {
    static final String MEDIA_TYPE = "application/vnd.kubernetes.protobuf";
    static final String MEDIA_TYPE_OF_THE_SPECIFICATION = "application/vnd.platform.protobuf";
    static final BinaryForm INSTANCE = new BinaryForm();

    private BinaryForm() {}

    @Override
    public ServedPage page(RbacKind kind, byte[] body, int length) throws MalformedRolesException {
        BinaryEnvelope envelope = BinaryEnvelope.open(body, 0, length);
        TypeNames.require(TypeNames.list(kind), envelope.apiVersion(), envelope.kind());
        Interned strings = new Interned();
        List<ServedObject> items = new ArrayList<>();
        List<String> nameless = new ArrayList<>();
        String version = "";
        String next = "";
        WireReader list = envelope.raw();
        while (list.next()) {
            switch (list.field()) {
                case 1 -> {
                    WireReader metadata = list.message();
                    while (metadata.next()) {
                        switch (metadata.field()) {
                            case 2 -> version = metadata.text();
                            case 3 -> next = metadata.text();
                            default -> metadata.skip();
                        }
                    }
                }
                case 2 -> {
                    ObjectDraft draft = new ObjectDraft(kind, strings);
                    BinaryObjectReader.read(list.message(), draft);
                    draft.addTo(items, nameless);
                }
                default -> list.skip();
            }
        }
        return new ServedPage(version, next, items, nameless);
    }

    @Override
    public ServedEvent event(RbacKind kind, byte[] frame) throws MalformedRolesException {
        String type = "";
        @Nullable BinaryEnvelope envelope = null;
        WireReader event = new WireReader(frame, 0, frame.length);
        while (event.next()) {
            switch (event.field()) {
                case 1 -> type = event.text();
                case 2 -> envelope = object(event.message());
                default -> event.skip();
            }
        }
        if (envelope == null) {
            throw new MalformedRolesException("an event has no object");
        }
        if (type.equals(ServedEvent.ERROR)) {
            return failure(envelope.raw());
        }
        TypeNames.require(kind.kind(), envelope.apiVersion(), envelope.kind());
        ObjectDraft draft = new ObjectDraft(kind, new Interned());
        BinaryObjectReader.read(envelope.raw(), draft);
        return draft.event(type);
    }

    private static @Nullable BinaryEnvelope object(WireReader extension) throws MalformedRolesException {
        @Nullable BinaryEnvelope envelope = null;
        while (extension.next()) {
            if (extension.field() == 1) {
                envelope = extension.envelope();
            } else {
                extension.skip();
            }
        }
        return envelope;
    }

    @Override
    public ServedEvent.Failure status(byte[] body, int length) throws MalformedRolesException {
        return failure(BinaryEnvelope.open(body, 0, length).raw());
    }

    private static ServedEvent.Failure failure(WireReader status) throws MalformedRolesException {
        String message = "";
        String reason = "";
        int code = 0;
        while (status.next()) {
            switch (status.field()) {
                case 3 -> message = status.text();
                case 4 -> reason = status.text();
                case 6 -> code = (int) status.number();
                default -> status.skip();
            }
        }
        return new ServedEvent.Failure(code, reason, message);
    }

    @Override
    public Frames frames(int longest) {
        return Frames.behindLengths(longest);
    }
}
