package io.plat.http.authentication.oidc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.json.JsonMapper;
import io.plat.http.authentication.jwt.KeySet;
import io.plat.http.authentication.jwt.TestingKeys;
import io.plat.http.authentication.jwt.VerificationKey;
import io.plat.tls.files.FileWatch;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class KeySetParserTest {
    private static final KeySet KEYS = new KeySet(
            List.of(VerificationKey.of(TestingKeys.RSA.getPublic()), VerificationKey.of(TestingKeys.P256.getPublic())));

    @Test
    void unusableKeysAreSkipped() throws Exception {
        String own = new JsonMapper().readTree(KEYS.document()).path("keys").toString();
        String text = "{\"keys\":[{\"kty\":\"oct\",\"k\":\"AAAA\"},{\"kty\":\"new\"},7,{},"
                + "{\"kty\":\"OKP\",\"crv\":\"Ed25519\",\"x\":\"11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo\"},"
                + own.substring(1, own.length() - 1).replaceFirst("\"sig\"", "\"enc\"") + "]}";
        assertThat(KeyFile.parseKey(text).keys())
                .extracting(VerificationKey::id)
                .containsExactly(KEYS.keys().get(1).id());
        assertThat(KeyFile.parseKey(KEYS.document()).keys())
                .extracting(VerificationKey::key)
                .containsExactly(TestingKeys.RSA.getPublic(), TestingKeys.P256.getPublic());
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "null",
                "[]",
                "\"\"",
                "{\"kty\":null}",
                "{\"kty\":\"RSA\",\"n\":null,\"e\":null}",
                "{\"kty\":\"RSA\",\"n\":\"\",\"e\":\"\"}",
                "{\"kty\":\"RSA\",\"n\":{},\"e\":[]}",
                "{\"kty\":\"RSA\",\"n\":\"AQAB\",\"e\":\"AQAB\",\"key_ops\":[null]}",
                "{\"kty\":\"RSA\",\"n\":\"AQAB\",\"e\":\"AQAB\",\"x5c\":[null]}",
                "{\"kty\":\"RSA\",\"n\":\"AQAB\",\"e\":\"AQAB\",\"oth\":[null]}",
                "{\"kty\":\"RSA\",\"n\":\"AQAB\",\"e\":\"AQAB\",\"use\":7}",
                "{\"kty\":\"EC\",\"crv\":null,\"x\":\"AA\",\"y\":\"AA\"}",
                "{\"kty\":\"EC\",\"crv\":\"P-256\",\"x\":\"AA\",\"y\":\"AA\"}",
                "{\"kty\":\"EC\",\"crv\":\"secp256k1\",\"x\":null,\"y\":null}"
            })
    void aMalformedKeyIsSkipped(String key) throws Exception {
        String text = KEYS.document().replace("\"keys\":[", "\"keys\":[" + key + ",");
        assertThat(KeyFile.parseKey(text).keys())
                .extracting(VerificationKey::key)
                .contains(TestingKeys.RSA.getPublic(), TestingKeys.P256.getPublic());
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "{",
                "[]",
                "{}",
                "{\"keys\":{}}",
                "{\"keys\":[]}",
                "{\"keys\":[{\"kty\":\"oct\",\"k\":\"AA\"}]}"
            })
    void aSetWithoutUsableKeysIsRefused(String text) {
        assertThatThrownBy(() -> KeyFile.parseKey(text)).isInstanceOf(UnusableKeysException.class);
    }

    @Test
    void aChangedFileIsReloaded(@TempDir Path directory) throws Exception {
        Path file = Files.writeString(directory.resolve("keys.json"), KEYS.document());
        FileWatch.Settings quick = new FileWatch.Settings(Duration.ofMillis(5), Duration.ofMillis(20), true);
        try (KeyFile keys = KeyFile.open(file, quick)) {
            assertThat(keys.known().orElseThrow().keys()).hasSize(2);
            assertThat(keys.wouldFetch("unknown")).isFalse();
            assertThat(keys.withKey("unknown")).isEqualTo(keys.known());
            KeySet one = new KeySet(KEYS.keys().subList(0, 1));
            Files.writeString(file, one.document());
            await().until(() -> keys.known().orElseThrow().keys().size() == 1);
        }
        Path bad = Files.writeString(directory.resolve("bad.json"), "{}");
        assertThatThrownBy(() -> KeyFile.open(bad, quick))
                .isInstanceOf(UnusableKeysException.class)
                .hasMessageStartingWith(bad + ": expected a key set");
        assertThatThrownBy(() -> KeyFile.open(directory.resolve("none"), quick))
                .isInstanceOf(UnusableKeysException.class)
                .hasMessageContaining("no such file");
    }
}
