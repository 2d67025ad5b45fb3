package io.plat.apiserver.authentication.oidc;

import io.plat.apiserver.authentication.jwt.KeySet;
import io.plat.review.source.ProblemsException;
import io.plat.review.source.SourceReader;
import io.plat.tls.files.FileWatch;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The keys of an issuer in a file, for servers that can't reach it. Re-read when it changes; the last good one stays. */
public final class KeyFile implements IssuerKeys {
    private static final Logger LOG = LoggerFactory.getLogger(KeyFile.class);

    private final Path file;
    private final FileWatch watch;
    private volatile KeySet keys = new KeySet(List.of());

    private KeyFile(Path file, FileWatch.Settings settings) {
        this.file = file;
        this.watch = FileWatch.of("oidc-keys", List.of(file), settings, changed -> reload());
    }

    /**
     * Reads the file and watches it from now on.
     *
     * @throws UnusableKeysException where it can't be used
     */
    public static KeyFile open(Path file) throws UnusableKeysException {
        return open(file, FileWatch.Settings.DEFAULT);
    }

    static KeyFile open(Path file, FileWatch.Settings settings) throws UnusableKeysException {
        KeyFile opened = new KeyFile(file, settings);
        try {
            opened.keys = opened.read();
        } catch (UnusableKeysException e) {
            opened.close();
            throw e;
        }
        opened.watch.start();
        return opened;
    }

    private KeySet read() throws UnusableKeysException {
        try {
            return KeyDocument.read(SourceReader.readText(file));
        } catch (ProblemsException e) {
            throw new UnusableKeysException(String.valueOf(e.getMessage()));
        } catch (UnusableKeysException e) {
            throw new UnusableKeysException(file + ": " + e.getMessage());
        }
    }

    private void reload() {
        try {
            keys = read();
            LOG.info("{}: reloaded, {} keys", file, keys.keys().size());
        } catch (UnusableKeysException e) {
            LOG.warn("the changed key set can't be used, the last good one stays in use: {}", e.getMessage());
        }
    }

    @Override
    public Optional<KeySet> known() {
        return Optional.of(keys);
    }

    @Override
    public void close() {
        watch.close();
    }
}
