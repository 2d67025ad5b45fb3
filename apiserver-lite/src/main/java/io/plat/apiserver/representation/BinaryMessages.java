package io.plat.apiserver.representation;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import io.plat.apiserver.representation.binary.BinaryForm;
import io.plat.apiserver.representation.binary.BinaryForms;
import io.plat.apiserver.representation.binary.TypeMeta;
import io.plat.apiserver.resource.ServedObject;
import io.plat.review.status.StatusException;

/**
 * The messages of stored objects, each encoded once however many read it: remembered by the identity of the stored state, within
 * a bound of memory. Nothing here is touched, or even loaded, by those who read JSON.
 */
final class BinaryMessages {
    /** How many bytes messages, and the stored states that they keep alive, may take at most. */
    private static final long MAX_BYTES = 32L << 20;

    /** And at most this part of the heap. */
    private static final int PART_OF_HEAP = 8;

    private static final int OVERHEAD = 128;

    private final BinaryForms forms;
    private final Cache<State, byte[]> messages;

    /** The built-in types. Reading their tables takes a while. */
    BinaryMessages() {
        this.forms = BinaryForms.builtIn();
        this.messages = Caffeine.newBuilder()
                .maximumWeight(Math.min(MAX_BYTES, Runtime.getRuntime().maxMemory() / PART_OF_HEAP))
                .weigher((State state, byte[] message) -> message.length + state.object.storedSize() + OVERHEAD)
                .build();
    }

    /** One state of an object as one version of its type shows it; what is stored is compared by identity. */
    private static final class State {
        final ServedObject object;

        State(ServedObject object) {
            this.object = object;
        }

        @Override
        public boolean equals(Object other) {
            return other instanceof State state && state.object.sameAs(object);
        }

        @Override
        public int hashCode() {
            return object.stateHash();
        }
    }

    /** Whether a type has a binary form. */
    boolean has(TypeMeta type) {
        return forms.find(type).isPresent();
    }

    /** The form of a type that {@linkplain #has has} one. */
    BinaryForm form(TypeMeta type) {
        return forms.find(type).orElseThrow(() -> new IllegalStateException("no binary form of " + type));
    }

    /** An object's message, without an envelope; shared, not to be changed. */
    byte[] message(ServedObject object) throws StatusException {
        State state = new State(object);
        byte[] known = messages.getIfPresent(state);
        if (known != null) {
            return known;
        }
        byte[] made = form(typeOf(object)).message(object.json());
        messages.put(state, made);
        return made;
    }

    static TypeMeta typeOf(ServedObject object) {
        return new TypeMeta(object.type().apiVersion(), object.type().kind());
    }
}
