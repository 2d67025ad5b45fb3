package io.plat.apiserver.representation.binary;

/**
 * Watch events in binary form: a message {@code WatchEvent}, itself without an envelope, that holds its object in one.
 *
 * <p>In a stream each stands behind its length (four bytes, the highest first); a WebSocket's messages need none.
 */
public final class BinaryWatchEvent {
    private static final int TYPE = WireReader.block(1);
    private static final int OBJECT = WireReader.block(2);
    private static final int RAW = WireReader.block(1);
    private static final int LENGTH_BYTES = 4;

    private BinaryWatchEvent() {}

    /**
     * An event by itself.
     *
     * @param type such as {@code ADDED}
     * @param object the object in its envelope
     */
    public static byte[] message(String type, byte[] object) {
        return event(type, object, 0);
    }

    /**
     * An event behind its length.
     *
     * @param type such as {@code ADDED}
     * @param object the object in its envelope
     */
    public static byte[] frame(String type, byte[] object) {
        byte[] frame = event(type, object, LENGTH_BYTES);
        int length = frame.length - LENGTH_BYTES;
        for (int i = 0; i < LENGTH_BYTES; i++) {
            frame[i] = (byte) (length >>> (8 * (LENGTH_BYTES - 1 - i)));
        }
        return frame;
    }

    private static byte[] event(String type, byte[] object, int room) {
        var fields = new WireWriter(type.length() + object.length + 32);
        fields.tag(TYPE);
        fields.text(type);
        fields.tag(OBJECT);
        int extension = fields.open();
        fields.tag(RAW);
        fields.block(object, 0, object.length);
        fields.close(extension);
        var event = new byte[Math.addExact(room, fields.encodedSize())];
        fields.copyTo(event, room);
        return event;
    }
}
