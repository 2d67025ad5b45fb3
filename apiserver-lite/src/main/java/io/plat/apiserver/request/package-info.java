/**
 * What a request asks for: verb and resource, or verb and path, derived once from the method and the raw request target.
 *
 * <p>Authorizer and router read the same {@link io.plat.apiserver.request.RequestInfo}; neither looks at the target again, so
 * that no spelling of a path can mean one thing to the one and something else to the other. A target that could be read in two
 * ways is refused with 400 before anybody is asked:
 *
 * <table>
 * <caption>What becomes of unusual targets</caption>
 * <tr><th>target</th><th>what happens</th></tr>
 * <tr><td>does not begin with {@code /} ({@code *}, an authority)</td><td>400. Of an absolute-form target, which RFC 9112, 3.2.2
 *     makes servers accept, the connection hands over the path alone</td></tr>
 * <tr><td>an empty segment ({@code //})</td><td>400; one slash at the end is kept on a path that is no resource and means
 *     nothing on a resource, as in the field</td></tr>
 * <tr><td>a segment {@code .} or {@code ..}, written out or encoded</td><td>400, never resolved</td></tr>
 * <tr><td>{@code ;} (matrix parameters), {@code \}, written out or encoded</td><td>400</td></tr>
 * <tr><td>an encoded slash ({@code %2F}) or percent sign ({@code %25})</td><td>400: no name of the API holds either, and whoever
 *     decodes twice would see another path</td></tr>
 * <tr><td>NUL and other control characters, encoded or not</td><td>400</td></tr>
 * <tr><td>a percent sign without two hexadecimal digits</td><td>400</td></tr>
 * <tr><td>bytes that are no UTF-8 (overlong forms and surrogates included)</td><td>400</td></tr>
 * <tr><td>a character outside ASCII or a space that is not encoded</td><td>400</td></tr>
 * <tr><td>any other encoded character ({@code %3A})</td><td>decoded once; equal to the character written out</td></tr>
 * <tr><td>letters in another case ({@code /API/v1})</td><td>another path: nothing is folded, and Unicode is not normalized</td></tr>
 * </table>
 *
 * <p>Everything here is an immutable value. May depend on {@code io.plat.review} and the selectors of
 * {@code io.plat.apiserver.selector}.
 */
@NullMarked
package io.plat.apiserver.request;

import org.jspecify.annotations.NullMarked;
