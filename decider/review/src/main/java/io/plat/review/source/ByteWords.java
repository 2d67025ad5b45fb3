package io.plat.review.source;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/**
 * Words of a file as strings, equal ones as one: they are found by their bytes, so that a word that was met before costs no object. For
 * one thread, and to be let go with the file.
 */
public final class ByteWords {
    /** So many places are looked at for a word: a file whose words all have one hash costs no more. */
    private static final int MOST_PROBES = 16;

    private byte[][] keys = new byte[1 << 12][];
    private String[] words = new String[1 << 12];
    private int[] hashes = new int[1 << 12];
    private int count;

    /**
     * The word in a range of bytes, all of them ASCII.
     *
     * @param hash that of its bytes by {@link #hash}
     */
    public String word(byte[] text, int from, int to, int hash) {
        int mask = words.length - 1;
        int place = spread(hash) & mask;
        for (int probe = 0; probe < MOST_PROBES; probe++) {
            byte[] key = keys[place];
            if (key == null) {
                return add(text, from, to, hash);
            }
            if (hashes[place] == hash && Arrays.equals(key, 0, key.length, text, from, to)) {
                return words[place];
            }
            place = (place + 1) & mask;
        }
        return new String(text, from, to - from, StandardCharsets.ISO_8859_1);
    }

    /** The hash of some bytes and one more behind them; that of none is 0. */
    public static int hash(int before, byte next) {
        return 31 * before + next;
    }

    private static int spread(int hash) {
        return (hash * 0x9E3779B9) >>> 12;
    }

    private String add(byte[] text, int from, int to, int hash) {
        if (count > words.length / 2) {
            grow();
        }
        String word = new String(text, from, to - from, StandardCharsets.ISO_8859_1);
        put(Arrays.copyOfRange(text, from, to), word, hash);
        return word;
    }

    private void put(byte[] key, String word, int hash) {
        int mask = words.length - 1;
        int place = spread(hash) & mask;
        for (int probe = 0; probe < MOST_PROBES; probe++) {
            if (keys[place] == null) {
                keys[place] = key;
                words[place] = word;
                hashes[place] = hash;
                count++;
                return;
            }
            place = (place + 1) & mask;
        }
    }

    private void grow() {
        byte[][] oldKeys = keys;
        String[] oldWords = words;
        int[] oldHashes = hashes;
        keys = new byte[oldKeys.length * 4][];
        words = new String[oldKeys.length * 4];
        hashes = new int[oldKeys.length * 4];
        count = 0;
        for (int i = 0; i < oldKeys.length; i++) {
            if (oldKeys[i] != null) {
                put(oldKeys[i], oldWords[i], oldHashes[i]);
            }
        }
    }
}
