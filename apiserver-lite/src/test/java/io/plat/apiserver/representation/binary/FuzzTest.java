package io.plat.apiserver.representation.binary;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.google.protobuf.Descriptors.Descriptor;
import com.google.protobuf.DynamicMessage;
import io.plat.review.status.StatusException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** Any input yields an object or an error; and a converted object round-trips unchanged. */
class FuzzTest {
    private static final int ROUNDS = Boolean.getBoolean("plat.full") ? 100_000 : 5_000;
    private static final int MUCH = 1 << 24;

    private final long seed = Long.getLong("plat.seed", new Random().nextLong());
    private final Random random = new Random(seed);
    private static final Descriptions DESCRIPTIONS = Descriptions.builtIn();
    private static final DescriptorTable DESCRIPTORS = DescriptorTable.ofKubernetes();
    private static final BinaryForms FORMS = BinaryForms.builtIn();
    private final JsonMapper mapper = new JsonMapper();
    private final RandomObjects objects = new RandomObjects(DESCRIPTIONS, seed);
    private final List<TypeMeta> types = FORMS.types().stream()
            .filter(type -> !type.kind().equals("WatchEvent") && !type.kind().equals("DeleteOptions"))
            .sorted(Comparator.comparing(TypeMeta::toString))
            .toList();

    private int refused;
    private int taken;

    private TypeMeta anyType() {
        return types.get(random.nextInt(types.size()));
    }

    private JsonNode object(TypeMeta type) {
        return objects.object(type, DESCRIPTIONS.kinds().getOrDefault(type, ""));
    }

    @Test
    void damagedEnvelopes() throws Exception {
        System.out.println("fuzz with -Dplat.seed=" + seed);
        for (int i = 0; i < ROUNDS; i++) {
            TypeMeta type = anyType();
            byte[] envelope = FORMS.find(type).orElseThrow().envelope(mapper.writeValueAsBytes(object(type)));
            byte[] damaged = damage(envelope, 0);
            try {
                byte[] decoded = FORMS.decode(damaged, type, MUCH);
                assertThat(mapper.readTree(decoded).isObject()).isTrue();
                taken++;
            } catch (StatusException e) {
                refused++;
            }
        }
        assertThat(taken).isPositive();
        assertThat(refused).isPositive();
    }

    /** Without the envelope most damage reaches the fields. */
    @Test
    void damagedMessages() throws Exception {
        for (int i = 0; i < ROUNDS; i++) {
            TypeMeta type = anyType();
            BinaryForm form = FORMS.find(type).orElseThrow();
            byte[] damaged = damage(form.message(mapper.writeValueAsBytes(object(type))), 0);
            try {
                byte[] json = form.json(damaged, MUCH);
                byte[] again = form.json(form.message(json), MUCH);
                assertThat(new String(again, StandardCharsets.UTF_8))
                        .isEqualTo(new String(json, StandardCharsets.UTF_8));
                taken++;
            } catch (StatusException e) {
                assertThat(e.getMessage()).as("a field twice").doesNotContain("occurs twice");
                refused++;
            }
        }
        assertThat(taken).isPositive();
        assertThat(refused).isPositive();
    }

    @Test
    void randomBytes() throws Exception {
        for (int i = 0; i < ROUNDS; i++) {
            var bytes = new byte[random.nextInt(60)];
            random.nextBytes(bytes);
            for (int at = 0; at < bytes.length; at++) {
                // Mostly plausible tags and lengths.
                if (random.nextInt(4) > 0) {
                    bytes[at] = (byte) (random.nextBoolean() ? (random.nextInt(1, 8) << 3) | 2 : random.nextInt(12));
                }
            }
            try {
                byte[] json = FORMS.find(anyType()).orElseThrow().json(bytes, MUCH);
                assertThat(mapper.readTree(json).isObject()).isTrue();
            } catch (StatusException e) {
                refused++;
            }
        }
        assertThat(refused).isPositive();
    }

    @Test
    void damagedJson() throws Exception {
        for (int i = 0; i < ROUNDS; i++) {
            TypeMeta type = anyType();
            byte[] damaged = damage(mapper.writeValueAsBytes(object(type)), 1);
            try {
                byte[] message = FORMS.find(type).orElseThrow().message(damaged);
                Descriptor descriptor = DESCRIPTORS
                        .find(DESCRIPTIONS.kinds().getOrDefault(type, ""))
                        .orElseThrow();
                assertThat(DynamicMessage.parseFrom(descriptor, message).isInitialized())
                        .isTrue();
                taken++;
            } catch (StatusException e) {
                refused++;
            }
        }
        assertThat(taken).isPositive();
        assertThat(refused).isPositive();
    }

    /**
     * Two concatenated messages are one message: singular fields are overwritten, nested ones merged, arrays concatenated. Protobuf's
     * library does the same.
     */
    @Test
    void messagesInPieces() throws Exception {
        for (int i = 0; i < ROUNDS / 10; i++) {
            TypeMeta type = anyType();
            if (type.kind().startsWith("CustomResourceDefinition")) {
                // Messages with a special JSON form are replaced, not merged.
                continue;
            }
            BinaryForm form = FORMS.find(type).orElseThrow();
            byte[] first = form.message(mapper.writeValueAsBytes(object(type)));
            byte[] second = form.message(mapper.writeValueAsBytes(object(type)));
            byte[] both = Arrays.copyOf(first, first.length + second.length);
            System.arraycopy(second, 0, both, first.length, second.length);
            byte[] joined = DynamicMessage.parseFrom(
                            DESCRIPTORS
                                    .find(DESCRIPTIONS.kinds().getOrDefault(type, ""))
                                    .orElseThrow(),
                            both)
                    .toByteArray();
            assertThat(new String(form.json(both, MUCH), StandardCharsets.UTF_8))
                    .isEqualTo(new String(form.json(joined, MUCH), StandardCharsets.UTF_8));
        }
    }

    private byte[] damage(byte[] bytes, int atLeast) {
        byte[] damaged = bytes;
        for (int times = random.nextInt(atLeast, 4); times > 0 && damaged.length > 0; times--) {
            int at = random.nextInt(damaged.length);
            damaged = switch (random.nextInt(5)) {
                case 0 -> replaced(damaged, at, (byte) random.nextInt(256));
                case 1 -> replaced(damaged, at, (byte) (damaged[at] ^ (1 << random.nextInt(8))));
                case 2 -> Arrays.copyOf(damaged, at);
                case 3 -> without(damaged, at, random.nextInt(1, 4));
                default -> repeated(damaged, at, random.nextInt(1, 20));
            };
        }
        return damaged;
    }

    private static byte[] replaced(byte[] bytes, int at, byte with) {
        byte[] copy = bytes.clone();
        copy[at] = with;
        return copy;
    }

    private static byte[] without(byte[] bytes, int at, int count) {
        return concatenated(bytes, at, Math.min(bytes.length, at + count));
    }

    private static byte[] repeated(byte[] bytes, int at, int count) {
        return concatenated(bytes, Math.min(bytes.length, at + count), at);
    }

    private static byte[] concatenated(byte[] bytes, int firstEnd, int secondStart) {
        byte[] copy = Arrays.copyOf(bytes, firstEnd + bytes.length - secondStart);
        System.arraycopy(bytes, secondStart, copy, firstEnd, bytes.length - secondStart);
        return copy;
    }
}
