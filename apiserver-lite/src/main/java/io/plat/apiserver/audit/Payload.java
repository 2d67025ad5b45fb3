package io.plat.apiserver.audit;

import org.jspecify.annotations.Nullable;

/**
 * An object that was sent or answered, as far as it is recorded.
 *
 * @param json the object, not to be changed; null where it is not recorded or {@code tooLarge}
 * @param tooLarge whether it was left out for its size
 */
@SuppressWarnings("ArrayRecordComponent") // Handed over once and never compared.
record Payload(byte @Nullable [] json, boolean tooLarge) {
    /** No object. */
    static final Payload NONE = new Payload(null, false);

    /** One that is left out. */
    static final Payload TOO_LARGE = new Payload(null, true);

    int bytes() {
        return json == null ? 0 : json.length;
    }
}
