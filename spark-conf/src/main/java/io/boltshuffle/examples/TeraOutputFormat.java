package io.boltshuffle.examples;

import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.mapreduce.RecordWriter;
import org.apache.hadoop.mapreduce.TaskAttemptContext;
import org.apache.hadoop.mapreduce.lib.output.FileOutputFormat;

/** Writes rows back to back, without separators: key, then value. Hadoop's commit and abort apply. */
public final class TeraOutputFormat extends FileOutputFormat<byte[], byte[]> {

    @Override
    public RecordWriter<byte[], byte[]> getRecordWriter(TaskAttemptContext context) throws IOException {
        Path file = getDefaultWorkFile(context, "");
        OutputStream out = new BufferedOutputStream(
                file.getFileSystem(context.getConfiguration()).create(file, false), 1 << 18);
        return new RecordWriter<>() {
            @Override
            public void write(byte[] key, byte[] value) throws IOException {
                out.write(key);
                out.write(value);
            }

            @Override
            public void close(TaskAttemptContext ignored) throws IOException {
                out.close();
            }
        };
    }
}
