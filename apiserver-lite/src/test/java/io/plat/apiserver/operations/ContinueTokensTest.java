package io.plat.apiserver.operations;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.plat.apiserver.metadata.ObjectIdentity;
import io.plat.apiserver.operations.ContinueTokens.Token;
import io.plat.apiserver.storage.HistoryPolicy;
import io.plat.apiserver.storage.ObjectStore;
import io.plat.apiserver.storage.StorageException;
import io.plat.apiserver.storage.StoreOptions;
import io.plat.apiserver.storage.embedded.EmbeddedStore;
import io.plat.apiserver.type.ResourceCatalog;
import io.plat.apiserver.type.ResourceType;
import io.plat.apiserver.type.Target;
import io.plat.review.status.StatusException;
import java.time.Duration;
import java.time.Instant;
import java.util.Base64;
import java.util.Random;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.LongRange;
import net.jqwik.api.constraints.StringLength;
import org.junit.jupiter.api.Test;

/** Continue tokens return their contents, and only the server can create them. */
class ContinueTokensTest {
    private static final Instant NOW = Instant.parse("2026-01-01T00:00:00Z");
    private static final ResourceType MAPS =
            ResourceCatalog.builtIn().find("", "v1", "configmaps").orElseThrow();
    private static final Target COLLECTION = new Target(MAPS, "default", "");
    private static final ContinueTokens TOKENS = tokens(1);

    private static ContinueTokens tokens(long seed) {
        try {
            ObjectStore store = EmbeddedStore.inMemory(StoreOptions.keeping(HistoryPolicy.DEFAULT));
            return ContinueTokens.open(store, new ObjectIdentity(() -> NOW, new Random(seed)), Duration.ofMinutes(5));
        } catch (StorageException e) {
            throw new IllegalStateException(e);
        }
    }

    @Property
    void roundTrip(@ForAll @LongRange(min = 1) long revision, @ForAll @StringLength(max = 600) String name)
            throws StatusException {
        String after = "configmaps/default/" + name.replaceAll("[\\p{Cs}]", "");
        Token token = TOKENS.read(COLLECTION, TOKENS.issue(COLLECTION, revision, after));
        assertThat(token).isEqualTo(new Token(revision, NOW, after));
        assertThat(token.consistent()).isTrue();
        Token inconsistent = TOKENS.read(COLLECTION, TOKENS.issueInconsistent(COLLECTION, after));
        assertThat(inconsistent.consistent()).isFalse();
    }

    @Property
    void tokensCannotBeForged(@ForAll byte[] bytes, @ForAll String text) {
        String token = Base64.getUrlEncoder().withoutPadding().encodeToString(bytes);
        assertThatThrownBy(() -> TOKENS.read(COLLECTION, token)).isInstanceOf(StatusException.class);
        assertThatThrownBy(() -> TOKENS.read(COLLECTION, text)).isInstanceOf(StatusException.class);
    }

    @Property
    void modifiedTokensAreRejected(@ForAll int position) {
        byte[] token = Base64.getUrlDecoder().decode(TOKENS.issue(COLLECTION, 7, "configmaps/default/a"));
        int bit = Math.floorMod(position, token.length * 8);
        token[bit / 8] ^= (byte) (1 << (bit % 8));
        String forged = Base64.getUrlEncoder().withoutPadding().encodeToString(token);
        assertThatThrownBy(() -> TOKENS.read(COLLECTION, forged)).isInstanceOf(StatusException.class);
    }

    @Test
    void tokenOfAnotherStoreIsInvalid() {
        String token = tokens(2).issue(COLLECTION, 7, "configmaps/default/a");
        assertThatThrownBy(() -> TOKENS.read(COLLECTION, token)).isInstanceOf(StatusException.class);
    }

    @Test
    void tokensAreValidForEveryVersionOfAType() throws StatusException {
        Target roles = roles("rbac.authorization.k8s.io", "v1");
        Target earlier = roles("rbac.authorization.plat.io", "v1alpha1");
        assertThat(TOKENS.read(earlier, TOKENS.issue(roles, 7, "x")).revision()).isEqualTo(7);
    }

    private static Target roles(String group, String version) {
        return new Target(
                ResourceCatalog.builtIn().find(group, version, "roles").orElseThrow(), "default", "");
    }
}
