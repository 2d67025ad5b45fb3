package io.plat.apiserver.authentication.oidc;

import io.plat.apiserver.authentication.WatchedFile;
import io.plat.apiserver.authentication.jwt.KeySet;
import io.plat.review.source.ProblemsException;
import io.plat.review.source.SourceReader;
import io.plat.tls.files.FileWatch;
import java.nio.file.Path;
import java.util.Optional;

/**
 * Keys of an issuer in a file, for servers that cannot reach the issuer. The file is reloaded when it changes; the last good one stays in
 * use.
 */
public record KeyFile(WatchedFile<KeySet> keys) implements IssuerKeys {
    /** Reads the file and starts watching it. */
    public static KeyFile open(Path file, FileWatch.Settings settings) throws UnusableKeysException {
        return new KeyFile(new WatchedFile<>("oidc-keys", file, settings, () -> read(file), used -> {}));
    }

    private static KeySet read(Path file) throws UnusableKeysException {
        try {
            return KeySetParser.read(SourceReader.readText(file));
        } catch (ProblemsException e) {
            throw new UnusableKeysException(String.valueOf(e.getMessage()));
        } catch (UnusableKeysException e) {
            throw new UnusableKeysException(file + ": " + e.getMessage());
        }
    }

    @Override
    public Optional<KeySet> known() {
        return Optional.of(keys.get());
    }

    @Override
    public void close() {
        keys.close();
    }
}
