package io.plat.apiserver.memory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.plat.apiserver.tree.Json;
import java.io.IOException;
import org.junit.jupiter.api.Test;

class ClientJsonTest {
    @Test
    void memoryIsChargedBeforeATextIsParsed() {
        String text = "[" + "{},".repeat((int) (RequestMemory.MAX_BYTES / 300)) + "{}]";
        RequestMemory.serving(() -> "client", () -> {
            try {
                assertThat(ClientJson.read(Json.MAPPER, text, 1)).isNotEmpty();
            } catch (IOException impossible) {
                throw new AssertionError(impossible);
            }
            assertThatThrownBy(() -> ClientJson.read(Json.MAPPER, text, 3)).isInstanceOf(RequestLimitException.class);
        });
    }
}
