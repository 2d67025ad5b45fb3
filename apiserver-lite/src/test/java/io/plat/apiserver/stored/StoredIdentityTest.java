package io.plat.apiserver.stored;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class StoredIdentityTest {
    @Test
    void identityIsReadFromMetadata() {
        String nested =
                "\"annotations\":{\"uid\":\"a\",\"deletionTimestamp\":\"b\"},\"ownerReferences\":[{\"uid\":\"c\"}]";
        String stored = "{\"metadata\":{\"name\":\"n\"," + nested + ",\"uid\":\"u\",\"deletionTimestamp\":\"t\"},";
        // Nothing after the metadata is parsed.
        assertThat(StoredForm.identity((stored + "\"uid\":\"d\",no JSON").getBytes(UTF_8)))
                .isEqualTo(new StoredForm.Identity("u", "t"));
        assertThat(StoredForm.identity("{\"metadata\":{\"name\":\"n\"}}".getBytes(UTF_8)))
                .isEqualTo(new StoredForm.Identity("", ""));
    }
}
