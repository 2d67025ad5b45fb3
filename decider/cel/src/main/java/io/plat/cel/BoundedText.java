package io.plat.cel;

/**
 * Text with a limit on the characters that are read: each match of a search may read the rest of the text, which makes a search for all
 * of them quadratic, and a short pattern may have many instructions. Not thread-safe.
 */
final class BoundedText implements CharSequence {
    private final String text;
    private int remaining;

    /** @param reads maximum number of characters to read */
    BoundedText(String text, int reads) {
        this.text = text;
        this.remaining = reads;
    }

    /** @throws LimitExceeded if too many characters were read */
    @Override
    public char charAt(int index) {
        if (--remaining < 0) {
            throw new LimitExceeded();
        }
        return text.charAt(index);
    }

    @Override
    public int length() {
        return text.length();
    }

    @Override
    public CharSequence subSequence(int start, int end) {
        return text.substring(start, end);
    }

    @Override
    public String toString() {
        return text;
    }
}
