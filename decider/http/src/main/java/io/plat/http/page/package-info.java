/**
 * The access page at {@code /ui}: the same fixed files on every server. They contain no data; the page requests it from the server as the browser's
 * user, with requests that are authorized like any other.
 *
 * <p>Plain JavaScript modules and a style sheet, without a build step or external resources. The files are listed in {@link
 * io.plat.http.page.AccessPage}; a path is looked up there and never used as a file name.
 */
@NullMarked
package io.plat.http.page;

import org.jspecify.annotations.NullMarked;
